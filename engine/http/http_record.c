// SPDX-License-Identifier: MIT
// Arguments in arrays and in records. Where in them a value goes is told by places, one for each record that is open; they stand
// at the beginning of the function's struct args_t, which is provisional until all has come.
#include <string.h>

#include "argument.h"
#include "parser.h"
#include "../base/body_block.h"
#include "../content/content.h"

#if WHIT_HAS_RECORDS

struct records {
    uint8_t wrong;    // enum whit_wrong
    uint8_t depth;
    struct whit_record_place places[WHIT_RECORDS_MAX];    // not all of them are there
};

_Static_assert(sizeof(struct whit_record_place) == 4, "generated sources leave so much room for each");

static const struct whit_record *all_of(const struct whit_tcb *t)
{
    const struct whit_service *service = service_of(whit_flash_ptr(&whit_resources[t->request.resource].generator));
    return service != NULL ? whit_flash_ptr(&service->record) : NULL;
}

static struct records *records_of(const struct whit_tcb *t)
{
    return body_data(t);    // such a function has no GET
}

static struct whit_record_place *place_of(const struct whit_tcb *t)
{
    struct records *records = records_of(t);
    return &records->places[records->depth];
}

bool has_records(const struct whit_tcb *t)
{
    return all_of(t) != NULL;
}

bool records_frozen(const struct whit_tcb *t)
{
    return (t->request.seen & FLAG_WRONG) != 0 && has_records(t);
}

void records_begin(struct whit_tcb *t)
{
    if (!has_records(t))
        return;
    struct records *records = records_of(t);
    records->depth = 0;
    records->places[0] = (struct whit_record_place){0};
}

uint8_t record_depth(const struct whit_tcb *t)
{
    return has_records(t) ? records_of(t)->depth : 0;
}

const struct whit_record *record_of(const struct whit_tcb *t)
{
    const struct records *records = records_of(t);
    const struct whit_record *record = all_of(t);
    for (uint8_t depth = 1; depth <= records->depth; depth++) {
        const struct whit_argument *arguments = whit_flash_ptr(&record->arguments);
        record = whit_flash_ptr(&arguments[records->places[depth].index].record);
    }
    return record;
}

uint16_t record_outer(const struct whit_tcb *t, uint16_t index)
{
    return record_depth(t) == 0 ? index : records_of(t)->places[1].index;
}

// ------------------------------------------------------------------------------------------------ arrays

static uint8_t *cnt_of(const struct whit_tcb *t, const struct whit_argument *argument)
{
    return (uint8_t *)records_of(t) + place_of(t)->base + whit_flash_u8(&argument->cnt_offset);
}

static bool is_array(const struct whit_tcb *t, const struct whit_argument *argument)
{
    return has_records(t) && whit_flash_u8(&argument->count) != 0;
}

uint8_t record_offset(const struct whit_tcb *t, const struct whit_argument *argument)
{
    if (!has_records(t))
        return 0;
    uint8_t elements = is_array(t, argument) ? *cnt_of(t, argument) : 0;
    return (uint8_t)(place_of(t)->base + elements * whit_flash_u8(&argument->size));
}

bool array_is_full(const struct whit_tcb *t, const struct whit_argument *argument)
{
    return *cnt_of(t, argument) >= whit_flash_u8(&argument->count);
}

void array_count(struct whit_tcb *t)
{
    if ((t->request.argument & UNKNOWN) == 0 && is_array(t, argument_of(t)))
        ++*cnt_of(t, argument_of(t));
}

bool array_clear(struct whit_tcb *t, const struct whit_argument *argument)
{
    if (!is_array(t, argument))
        return false;
    *cnt_of(t, argument) = 0;
    uint8_t *first = (uint8_t *)records_of(t) + place_of(t)->base + whit_flash_u8(&argument->offset);
    memset(first, 0, (uint8_t)(whit_flash_u8(&argument->count) * whit_flash_u8(&argument->size)));
    return true;
}

void array_enter(struct whit_tcb *t)
{
    place_of(t)->array = ((t->request.argument & INDEX) + 1) & 15;
}

void array_leave(struct whit_tcb *t)
{
    place_of(t)->array = 0;
    arguments_read(t);
}

bool array_is_read(const struct whit_tcb *t)
{
    return has_records(t) && place_of(t)->array != 0;
}

void array_next(struct whit_tcb *t)
{
    argument_element(t, (uint8_t)(place_of(t)->array - 1));
}

bool element_begin(struct whit_tcb *t)
{
    uint8_t index = t->request.argument & INDEX;
    bool array = is_array(t, argument_of(t)), again = array && (t->request.seen >> index & 1) != 0;
    place_of(t)->array = array ? (index + 1) & 15 : 0;
    if (again)
        argument_element(t, index);
    return again;
}

// ------------------------------------------------------------------------------------------------ records

uint8_t argument_opens(const struct whit_tcb *t)
{
    uint8_t type = argument_type(t);
    if (type == ARGUMENT_UNKNOWN || !has_records(t))
        return 0;
    if (is_array(t, argument_of(t)) && !array_is_read(t))
        return '[';
    return type == WHIT_RECORD ? '{' : 0;
}

void record_enter(struct whit_tcb *t)
{
    const struct whit_argument *argument = argument_of(t);
    uint8_t base = (uint8_t)(whit_flash_u8(&argument->offset) + record_offset(t, argument));
    records_of(t)->depth++;
    *place_of(t) = (struct whit_record_place){t->request.seen, base, t->request.argument & 15, 0};
    argument_resume(t, 0, 0);
    arguments_read(t);
}

void record_leave(struct whit_tcb *t)
{
    struct whit_record_place *place = place_of(t);
    place->array = 0;
    arguments_complete(t);
    if ((t->request.seen & FLAG_WRONG) != 0)
        return;
    argument_resume(t, place->flags, place->index);
    records_of(t)->depth--;
    array_count(t);
    arguments_read(t);
}

#endif
