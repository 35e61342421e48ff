// SPDX-License-Identifier: MIT
// Typed query arguments. A complete value goes to its place in the handler's struct args_t, a string octet by octet. A
// value out of range, a repeated argument and a missing one refuse the request. Until the request is complete, only
// arguments whose bit in `seen` is set count.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/port.h"

// Takes an octet of an argument for a function, whose struct whit_taking is at `memory` in `args`; *state is that of
// base64_take(). False: it is refused.
static bool piece_octet(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state, uint8_t c);
static bool piece_end(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state);

// argument, while its value is read: beside its index,
#define NEGATIVE 0x40
#define DIGITS 0x20       // there was a digit
#define POINT 0x100       // decimal: its point was read,
#define FRACTION 0x200    // ... and that number of digits after the point, from this bit on

// Its values are words, and t->value is a state of the automaton while one of them is read.
static bool has_words(uint8_t type)
{
    return (WHIT_HAS_ENUM && type == WHIT_ENUM) || (WHIT_HAS_BOOL && type == WHIT_BOOL);
}

OWN_FRAME static const struct whit_generator *generator_of(const struct whit_tcb *t)
{
    return whit_flash_ptr(&whit_resources[t->request.resource].generator);
}

// The handler's struct args_t.
static inline __attribute__((always_inline)) uint8_t *args_of(const struct whit_tcb *t)
{
    uint16_t len;
    if (WHIT_HAS_FORM && t->request.method == WHIT_POST)
        return body_arguments(body_reader->body);
    return whit.rx.arguments_reserved ? buffer_reserved() : buffer_find(whit.rx.slot, BLOCK_ARGUMENTS, &len);
}

// Writes the first octet of a service's arguments.
static void set_wrong(const struct whit_tcb *t, uint8_t wrong)
{
    *args_of(t) = wrong;
}

bool service_wrong(struct whit_tcb *t, uint8_t wrong)
{
    if (service_of(generator_of(t)) == NULL)
        return false;
    if ((t->request.seen & FLAG_WRONG) == 0)
        set_wrong(t, wrong);
    t->request.seen |= FLAG_WRONG;
    t->request.argument = UNKNOWN;
    return true;
}

// Refuses the request for the sake of the argument of this index.
static void refuse_argument(struct whit_tcb *t, enum log_why why, uint16_t index)
{
    if (WHIT_HAS_LOG)
        log_why_number(t, why, WHIT_HAS_RECORDS ? record_outer(t, index) : index);
    uint8_t wrong = why == WHY_VALUE ? WHIT_WRONG_VALUE : why == WHY_TWICE ? WHIT_WRONG_TWICE : WHIT_WRONG_MISSING;
    if (!WHIT_HAS_SERVICES || !service_wrong(t, (uint8_t)(wrong + index + 1)))
        refuse(t, wrong_status(t, (uint8_t)(wrong + index)));
}

void refuse_value(struct whit_tcb *t)
{
    refuse_argument(t, WHY_VALUE, t->request.argument & INDEX);
}

// Returns the arguments of the record that is read, or all arguments.
static const struct whit_argument *arguments_of(const struct whit_tcb *t)
{
    if (WHIT_HAS_RECORDS && has_records(t))
        return whit_flash_ptr(&record_of(t)->arguments);
    return whit_flash_ptr(&generator_of(t)->arguments);
}

static uint8_t argument_cnt_of(const struct whit_tcb *t)
{
    return whit_flash_u8(WHIT_HAS_RECORDS && has_records(t) ? &record_of(t)->argument_cnt
                                                            : &generator_of(t)->argument_cnt);
}

static uint16_t names_of(const struct whit_tcb *t)
{
    return whit_flash_u16(WHIT_HAS_RECORDS && has_records(t) ? &record_of(t)->names : &generator_of(t)->names);
}

// Returns the argument whose value is read.
static const struct whit_argument *argument_of(const struct whit_tcb *t)
{
    return arguments_of(t) + (t->request.argument & INDEX);
}

// Returns the memory for the argument's value.
static uint8_t *memory_of(const struct whit_tcb *t, const struct whit_argument *argument)
{
    return args_of(t) + whit_flash_u8(&argument->offset) + (WHIT_HAS_RECORDS ? record_offset(t, argument) : 0);
}

void arguments_read(struct whit_tcb *t)
{
    if (whit_flash_u8(&generator_of(t)->argument_cnt) == 0)
        return;
    t->request.step = STEP_QUERY_NAME;
    t->request.node = names_of(t);
}

void arguments_begin(struct whit_tcb *t)
{
    const struct whit_generator *generator = generator_of(t);
    if (generator == NULL || whit_flash_u8(&generator->argument_cnt) == 0)
        return;
    if (WHIT_HAS_BODY && (WHIT_HAS_SOAP_ALONE || t->request.method == WHIT_POST ||
                          (whit_flash_u8(&generator->methods) & WHIT_METHOD_GET) == 0))
        return;    // the body has them; or the request is refused for its method
    uint8_t len = whit_flash_u8(&generator->args_len);
    if (!buffer_reserve_block(len)) {
        t->request.step = STEP_STARVED;
        return;
    }
    reservation_has_arguments();
    memset(buffer_reserved(), 0, len);
    arguments_read(t);
}

// The value of this argument begins; NODE_NONE: of one that the resource does not have.
static void value_of(struct whit_tcb *t, uint16_t index)
{
    uint16_t bit = (uint16_t)(UINT16_C(1) << (index & 15));
    t->request.step = STEP_QUERY_VALUE;
    t->request.argument = index;
    t->value = 0;
    if (index == NODE_NONE)
        return;
    if ((t->request.seen & bit) != 0)
        refuse_argument(t, WHY_TWICE, index);
    t->request.seen |= bit;
    if (WHIT_HAS_SERVICES && t->request.argument == UNKNOWN)
        return;
    if (WHIT_HAS_RECORDS)
        (void)array_clear(t, argument_of(t));
    if (has_words(whit_flash_u8(&argument_of(t)->type)))
        t->value = whit_flash_u16(&argument_of(t)->words);
}

// '=' or the argument's end was read: which one is it?
static void value_begin(struct whit_tcb *t)
{
    value_of(t, automaton_value(whit_targets, t->request.node));
}

#if WHIT_HAS_RECORDS
// Continues with the argument of this index. seen: arguments that came before.
static void argument_resume(struct whit_tcb *t, uint16_t seen, uint8_t index)
{
    t->request.seen = seen;
    t->request.argument = index;
}

// Begins the next element of an array.
static void argument_element(struct whit_tcb *t, uint8_t index)
{
    t->request.step = STEP_QUERY_VALUE;
    t->request.argument = index;
    t->value = 0;
    if (WHIT_HAS_RECORDS && array_is_full(t, argument_of(t)))
        refuse_value(t);
    else if (has_words(whit_flash_u8(&argument_of(t)->type)))
        t->value = whit_flash_u16(&argument_of(t)->words);
}
#endif

void argument_begin(struct whit_tcb *t, uint16_t index)
{
    if (WHIT_HAS_RECORDS && has_records(t) && index != NODE_NONE) {
        t->request.argument = index;
        if (element_begin(t))
            return;
    }
    if (WHIT_HAS_TAIL || WHIT_HAS_SOAP)    // else there is one call, which is put inline
        value_of(t, index);
}

static void store_number(uint8_t *to, uint8_t size, uint32_t number)
{
    if (!WHIT_HAS_WIDE) {
        *to = (uint8_t)number;
        return;
    }
    uint8_t as8 = (uint8_t)number;
    uint16_t as16 = (uint16_t)number;
    memcpy(to, size == 1 ? (void *)&as8 : size == 2 ? (void *)&as16 : (void *)&number, size);
}

static uint8_t scale_of(const struct whit_argument *argument)
{
    return (uint8_t)whit_flash_u16(&argument->words);
}

// Handles a decimal's point, or a digit beyond its scale. False: it is an ordinary digit.
static bool behind_point(struct whit_tcb *t, uint8_t scale, uint8_t c)
{
    uint16_t argument = t->request.argument;
    if (scale == 0)
        return false;
    if (c == '.' && (argument & (DIGITS | POINT)) == DIGITS) {
        t->request.argument |= POINT;
        return true;
    }
    if ((argument & POINT) == 0)
        return false;
    if (argument / FRACTION != scale) {
        t->request.argument += FRACTION;
        return false;
    }
    if (c != '0')
        refuse_value(t);
    return true;
}

static void digit(struct whit_tcb *t, uint8_t type, uint8_t c)
{
    uint8_t number = (uint8_t)(c - '0');
    uint32_t next = t->value * 10 + number;
    if (WHIT_HAS_SIGNED && c == '-' && type >= WHIT_INT8 && type <= WHIT_INT32 &&
        (t->request.argument & (DIGITS | NEGATIVE)) == 0) {
        t->request.argument |= NEGATIVE;
        return;
    }
    if (number > 9 || (WHIT_HAS_WIDE ? t->value > UINT32_C(0x19999999) || next < number : next > UINT8_MAX))
        refuse_value(t);
    t->value = next;
    t->request.argument |= DIGITS;
}

static void number_end(struct whit_tcb *t, uint8_t type, uint8_t size, uint8_t *to)
{
    uint8_t negative = WHIT_HAS_SIGNED && (t->request.argument & NEGATIVE) != 0;
    uint32_t most = WHIT_HAS_WIDE ? UINT32_C(0xffffffff) >> (32 - 8 * size) : UINT8_MAX;
    if (WHIT_HAS_SIGNED && type > WHIT_UINT32)
        most = (most >> 1) + negative;
    if ((t->request.argument & DIGITS) == 0 || t->value > most)
        refuse_value(t);
    else
        store_number(to, size, negative ? UINT32_C(0) - t->value : t->value);
}

// The digits of a decimal that were left out.
static void scale_up(struct whit_tcb *t, uint8_t type, uint8_t scale)
{
    uint16_t argument = t->request.argument;
    for (uint8_t read = (uint8_t)(argument / FRACTION);
         (argument & DIGITS) != 0 && read != scale && (t->request.argument & UNKNOWN) == 0; read++)
        digit(t, type, '0');
}

// Returns enum whit_text of a WHIT_STR.
static uint8_t text_kind(const struct whit_argument *argument)
{
    return WHIT_HAS_SERVICES || WHIT_HAS_OCTETS ? (uint8_t)whit_flash_u16(&argument->words) : WHIT_TEXT_UTF8;
}

static void value_end(struct whit_tcb *t)
{
    if ((t->request.argument & UNKNOWN) != 0)
        return;
    const struct whit_argument *argument = argument_of(t);
    uint8_t *to = memory_of(t, argument), type = whit_flash_u8(&argument->type);
    if (WHIT_HAS_TAKES && type == WHIT_STR && text_kind(argument) == WHIT_TEXT_PIECES) {
        if (!piece_end(service_taker(service_of(generator_of(t)), argument), args_of(t), to, &t->value))
            refuse_value(t);
    } else if (WHIT_HAS_BASE64 && type == WHIT_STR && text_kind(argument) == WHIT_TEXT_BASE64) {
        *to = (uint8_t)t->value;
        if (t->value > UINT8_MAX)
            refuse_value(t);    // it ends within a group
    } else if (type == WHIT_STR) {
        to[t->value] = 0;
        if ((WHIT_HAS_UTF8 || WHIT_HAS_TIMES) && !text_fits(text_kind(argument), to, (uint8_t)t->value))
            refuse_value(t);
    } else if (has_words(type)) {
        uint16_t index = automaton_value(whit_targets, (uint16_t)t->value);
        if (index == NODE_NONE)
            refuse_value(t);
        *to = (uint8_t)index;
    } else {
        if (WHIT_HAS_SCALE)
            scale_up(t, type, scale_of(argument));
        if (WHIT_HAS_SCALE && (t->request.argument & UNKNOWN) != 0)
            return;
        number_end(t, type, whit_flash_u8(&argument->size), to);
    }
}

static void value_octet(struct whit_tcb *t, uint8_t c, bool escaped)
{
    if ((t->request.argument & UNKNOWN) != 0)
        return;
    const struct whit_argument *argument = argument_of(t);
    uint8_t type = whit_flash_u8(&argument->type);
    if (has_words(type)) {
        t->value = automaton_step(whit_targets, (uint16_t)t->value, c);
    } else if (type != WHIT_STR) {
        if (!WHIT_HAS_SCALE || !behind_point(t, scale_of(argument), c))
            digit(t, type, c);
    } else if (WHIT_HAS_TAKES && text_kind(argument) == WHIT_TEXT_PIECES) {
        if (!piece_octet(service_taker(service_of(generator_of(t)), argument), args_of(t), memory_of(t, argument),
                         &t->value, c))
            refuse_value(t);
    } else if (WHIT_HAS_BASE64 && text_kind(argument) == WHIT_TEXT_BASE64) {
        if (!base64_take(memory_of(t, argument), whit_flash_u8(&argument->size), &t->value, c))
            refuse_value(t);
    } else if (t->value + 1 >= whit_flash_u8(&argument->size))
        refuse_value(t);    // longer than the handler's array
    else
        memory_of(t, argument)[t->value++] = !escaped && c == '+' ? ' ' : c;
}

void argument_octet(struct whit_tcb *t, uint8_t c, bool escaped)
{
    bool ends = !escaped && c == '&';
    if (!WHIT_HAS_SOAP_ALONE && t->request.step == STEP_QUERY_NAME) {
        bool named = !escaped && c == '=';
        if (!ends && !named) {
            t->request.node = automaton_step(whit_targets, t->request.node, c);
            return;
        }
        if (named || t->request.node != names_of(t))
            value_begin(t);    // a name without a value: an empty one
        if (named)
            return;
    }
    if (!ends)
        value_octet(t, c, escaped);
    else if (t->request.step == STEP_QUERY_VALUE)
        value_end(t);
    if (WHIT_HAS_RECORDS && ends && t->request.step == STEP_QUERY_VALUE)
        array_count(t);
    if (ends && t->request.step < STEP_DONE)
        arguments_read(t);
}

// Writes the default of an optional argument. A segment with a wrong checksum may have written there.
static void set_default(struct whit_tcb *t, const struct whit_argument *argument)
{
    if (WHIT_HAS_RECORDS && array_clear(t, argument))
        return;
    uint8_t *to = memory_of(t, argument);
    uint8_t fallback = WHIT_HAS_FALLBACKS ? whit_flash_u8(&argument->fallback) : 0,
            size = whit_flash_u8(&argument->size);
    memset(to, 0, size);
    if (fallback != 0)
        store_number(to, size,
                     whit_flash_u32((const uint32_t *)whit_flash_ptr(&generator_of(t)->fallbacks) + fallback - 1));
}

uint8_t argument_type(const struct whit_tcb *t)
{
    bool known = t->request.step == STEP_QUERY_VALUE && (t->request.argument & UNKNOWN) == 0;
    return known ? whit_flash_u8(&argument_of(t)->type) : ARGUMENT_UNKNOWN;
}

uint8_t argument_text(const struct whit_tcb *t)
{
    return argument_type(t) == WHIT_STR ? (uint8_t)whit_flash_u16(&argument_of(t)->words) : WHIT_TEXT_OCTETS;
}

// It is there, but as if it were not.
void argument_null(struct whit_tcb *t)
{
    if (argument_type(t) == ARGUMENT_UNKNOWN)
        return;
    const struct whit_argument *argument = argument_of(t);
    if (WHIT_HAS_RECORDS && array_is_read(t))
        refuse_value(t);    // an element is there
    else if (whit_flash_u8(&argument->optional) == 0)
        refuse_argument(t, WHY_MISSING, t->request.argument & INDEX);
    else
        set_default(t, argument);
    t->request.argument = UNKNOWN;
}

// Gives arguments that did not come their defaults, or refuses the request.
static void arguments_complete(struct whit_tcb *t)
{
    const struct whit_argument *argument = arguments_of(t);
    uint16_t seen = t->request.seen;
    uint8_t cnt = argument_cnt_of(t);
    for (uint8_t left = cnt; left != 0 && t->request.step < STEP_DONE; left--, argument++, seen >>= 1) {
        if ((seen & 1) != 0)
            continue;
        if (whit_flash_u8(&argument->optional) == 0)
            refuse_argument(t, WHY_MISSING, (uint16_t)(cnt - left));
        else
            set_default(t, argument);
    }
}

void arguments_end(struct whit_tcb *t)
{
    if (WHIT_HAS_RECORDS && records_frozen(t))
        return;
    argument_octet(t, '&', false);
    arguments_complete(t);
    if (WHIT_HAS_SERVICES && service_of(generator_of(t)) != NULL && (t->request.seen & FLAG_WRONG) == 0)
        set_wrong(t, 0);    // a segment that proved to be spoilt may have written there
}

// ------------------------------------------------------------------------------------------------ records and arrays

// Arguments in arrays and in records. Places tell the position of a value, one place for each open record. They are at
// the beginning of the function's struct args_t, which is provisional until all arguments have come.

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

static struct records *records_of(void)
{
    return body_arguments(body_reader->body);    // such a function has no GET
}

static struct whit_record_place *place_of(const struct whit_tcb *t)
{
    struct records *records = records_of();
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
    struct records *records = records_of();
    records->depth = 0;
    records->places[0] = (struct whit_record_place){0};
}

uint8_t record_depth(const struct whit_tcb *t)
{
    return has_records(t) ? records_of()->depth : 0;
}

const struct whit_record *record_of(const struct whit_tcb *t)
{
    const struct records *records = records_of();
    const struct whit_record *record = all_of(t);
    for (uint8_t depth = 1; depth <= records->depth; depth++) {
        const struct whit_argument *arguments = whit_flash_ptr(&record->arguments);
        record = whit_flash_ptr(&arguments[records->places[depth].index].record);
    }
    return record;
}

uint16_t record_outer(const struct whit_tcb *t, uint16_t index)
{
    return record_depth(t) == 0 ? index : records_of()->places[1].index;
}

// ------------------------------------------------------------------------------------------------ arrays

static uint8_t *cnt_of(const struct whit_tcb *t, const struct whit_argument *argument)
{
    return (uint8_t *)records_of() + place_of(t)->base + whit_flash_u8(&argument->cnt_offset);
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
    uint8_t *first = (uint8_t *)records_of() + place_of(t)->base + whit_flash_u8(&argument->offset);
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
    records_of()->depth++;
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
    records_of()->depth--;
    array_count(t);
    arguments_read(t);
}

#endif

// ------------------------------------------------------------------------------------------------ base64 by pieces

// An argument in base64 that is longer than memory: a function of the author's takes it by pieces of 24 octets, as they
// come.

// Passes the waiting octets to the function. False: it refuses them, or they are too many.
static bool give_away(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint8_t cnt)
{
    struct whit_taking taking;
    whit_take *take = whit_flash_ptr(&taker->take);
    memcpy(&taking, memory, sizeof taking);
    if (taking.len + cnt > whit_flash_u32(&taker->most))
        return false;
    if (cnt != 0 && !take((struct args_t *)(void *)args, taking.octets + 1, cnt))
        return false;
    taking.len += cnt;
    memcpy(memory, &taking.len, sizeof taking.len);    // and no more: the function may have changed its ticket
    return true;
}

static bool piece_octet(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state, uint8_t c)
{
    if (!base64_take(memory + offsetof(struct whit_taking, octets), WHIT_PIECE + 2, state, c))
        return false;
    if (*state != WHIT_PIECE)
        return true;
    *state = 0;
    return give_away(taker, args, memory, WHIT_PIECE);
}

static bool piece_end(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state)
{
    return *state <= WHIT_PIECE && give_away(taker, args, memory, (uint8_t)*state);    // else it ends within a group
}

// ----------------------------------------------------------------------------------- texts whose end may be taken back

// A text whose last octets may prove not to be its own (form.c).

#if WHIT_HAS_FORM_PARTS
static bool reads_text(const struct whit_tcb *t)
{
    return argument_type(t) == WHIT_STR && argument_text(t) <= WHIT_TEXT_UTF8;
}

bool text_takes(struct whit_tcb *t, uint8_t c)
{
    if (!reads_text(t) || t->value + 1 >= whit_flash_u8(&argument_of(t)->size))
        return false;
    argument_octet(t, c, true);
    return true;
}

// Cuts the text to `len` octets. The rest is ASCII, so the text before stays well-formed.
void text_end(struct whit_tcb *t, uint16_t len)
{
    bool text = reads_text(t);
    const struct whit_argument *argument = argument_of(t);
    argument_octet(t, '&', false);
    if (text)
        ((uint8_t *)body_arguments(body_reader->body))[whit_flash_u8(&argument->offset) +
                                                       (WHIT_HAS_RECORDS ? record_offset(t, argument) : 0) + len] = 0;
}
#endif
