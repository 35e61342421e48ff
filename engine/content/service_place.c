// SPDX-License-Identifier: MIT
// Where in records and arrays an argument stands that was wrong: points[3].x.
#include "out.h"
#include "service_out.h"
#include "../base/tables.h"
#include "whit/port.h"

#if WHIT_HAS_RECORDS

static const struct whit_record *blamed;    // all arguments of the function; NULL: none of them is blamed
static const uint8_t *blamed_args;          // its struct args_t

static const struct whit_record_place *place_at(uint8_t depth)
{
    return (const struct whit_record_place *)(const void *)(blamed_args + 2) + depth;
}

static const struct whit_argument *argument_at(const struct whit_record *record, uint8_t index)
{
    return (const struct whit_argument *)whit_flash_ptr(&record->arguments) + index;
}

static const char *expected_at(const struct whit_record *record, uint8_t index)
{
    const char *const *all = whit_flash_ptr(&record->expected);
    return whit_flash_ptr(&all[index]);
}

// The record that was read, of those in one another that were open.
static const struct whit_record *record_at(uint8_t depth)
{
    const struct whit_record *record = blamed;
    for (uint8_t i = 1; i <= depth; i++)
        record = whit_flash_ptr(&argument_at(record, place_at(i)->index)->record);
    return record;
}

static uint8_t blamed_index(void)
{
    return (uint8_t)((blamed_args[0] & WHIT_WRONG_INDEX) - 1);
}

const char *service_blames(const struct whit_service *service, const struct args_t *args)
{
    blamed = whit_flash_ptr(&service->record);
    blamed_args = (const uint8_t *)args;
    if (blamed == NULL)
        return NULL;
    const char *expected = expected_at(record_at(blamed_args[1]), blamed_index());
    while (whit_flash_u8((const uint8_t *)expected) != ':')
        expected++;
    return expected;
}

void service_blames_none(void)
{
    blamed = NULL;
}

void say_place(void)
{
    if (blamed == NULL)
        return;
    for (uint8_t depth = 0; depth <= blamed_args[1]; depth++) {
        uint8_t c, index = depth < blamed_args[1] ? place_at(depth + 1)->index : blamed_index();
        const struct whit_record *record = record_at(depth);
        if (depth != 0)
            out_c('.');
        for (const char *at = expected_at(record, index); (c = whit_flash_u8((const uint8_t *)at)) != ':'; at++)
            out_c((char)c);
        if (place_at(depth)->array != index + 1)
            continue;
        out_c('[');
        say_number(blamed_args[place_at(depth)->base + whit_flash_u8(&argument_at(record, index)->cnt_offset)], 0);
        out_c(']');
    }
}

#endif
