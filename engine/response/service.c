// SPDX-License-Identifier: MIT
// Answers of a service: its result, or a fault, as JSON (RFC 8259), in SOAP's XML; for a form as lines of text. All are
// written from the table of its values, in one walk without recursion.
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "whit/app.h"
#include "whit/port.h"
#include "whit/service.h"

uint8_t service_as;

void service_open(enum service_as as)
{
    service_as = (uint8_t)as;
    if (WHIT_HAS_REPLIES)
        service_signs(NULL);
}

const char *service_why;

char whit_fault(const char *why)
{
    service_why = why;
    return 0;
}

// ------------------------------------------------------------------------------------------------ a result

// A struct that is being written: its next value, and of that the next element.
struct level {
    const struct whit_value *value;
    const uint8_t *base;
    uint8_t left;    // values, this one included
    uint8_t element;
    bool first;    // no value precedes this one
};

static void level_enter(struct level *l, const struct whit_value *values, uint8_t value_cnt, const void *base)
{
    *l = (struct level){values, base, value_cnt, 0, true};
    if (IN_JSON)
        out_c('{');
}

static uint8_t element_cnt(const struct level *l)
{
    uint8_t most = whit_flash_u8(&l->value->count);
    uint16_t at = whit_flash_u16(&l->value->cnt_offset);
    if (most == 0)
        return 1;
    uint8_t cnt = at == WHIT_ALL ? most : l->base[at];
    return cnt < most ? cnt : most;
}

static void say_indent(uint8_t depth)
{
    while (depth-- != 0)
        SAY("  ");
}

// Without arrays and records.
static void write_flat(const struct whit_value *values, uint8_t value_cnt, const uint8_t *result)
{
    char before = '{';
    for (; value_cnt != 0; value_cnt--, values++) {
        if (AS_XML) {
            soap_element(values, result + whit_flash_u16(&values->offset));
            continue;
        }
        if (!AS_TEXT) {
            out_c(before);
            out_c('"');
        }
        before = ',';
        say(whit_flash_ptr(&values->name));
        if (!AS_TEXT)
            out_c('"');
        out_c(':');
        if (AS_TEXT)
            out_c(' ');
        say_value(values, result + whit_flash_u16(&values->offset));
        if (AS_TEXT)
            out_c('\n');
    }
    if (!IN_JSON)
        return;
    if (before == '{')
        out_c('{');
    out_c('}');
}

// Writes the text before an element; for the first element also the value's name.
static void say_before(const struct level *l, uint8_t depth, bool array, bool record)
{
    const char *name = whit_flash_ptr(&l->value->name);
    if (AS_XML) {
        if (record)
            soap_tag(name, false);
        return;
    }
    if (AS_TEXT) {
        say_indent(depth);
        say(name);
        out_c(':');
        out_c(record ? '\n' : ' ');
        return;
    }
    if (l->element != 0 || !l->first)
        out_c(',');
    if (l->element != 0)
        return;
    out_c('"');
    say(name);
    SAY("\":");
    if (array)
        out_c('[');
}

static void write_result(const struct whit_value *values, uint8_t value_cnt, const void *result)
{
    struct level levels[WHIT_RECORDS_MAX], *l = levels;
    if (!WHIT_HAS_NESTED) {
        write_flat(values, value_cnt, result);
        return;
    }
    level_enter(l, values, value_cnt, result);
    for (;;) {
        if (l->left == 0) {
            if (IN_JSON)
                out_c('}');
            if (l == levels)
                return;
            l--;
            if (AS_XML)
                soap_tag(whit_flash_ptr(&l->value->name), true);
            continue;
        }
        uint8_t cnt = element_cnt(l), type = whit_flash_u8(&l->value->type);
        bool array = whit_flash_u8(&l->value->count) != 0, record = type == WHIT_RECORD;
        uint8_t depth = (uint8_t)(l - levels);
        if (l->element < cnt || (l->element == 0 && !AS_TEXT))
            say_before(l, depth, array, record && l->element < cnt);
        if (l->element < cnt) {
            const uint8_t *at =
                l->base + whit_flash_u16(&l->value->offset) + (uint16_t)(l->element * whit_flash_u8(&l->value->size));
            l->element++;
            if (record) {
                level_enter(l + 1, whit_flash_ptr(&l->value->more), whit_flash_u8(&l->value->scale), at);
                l++;
                continue;
            }
            if (AS_XML)
                soap_element(l->value, at);
            else
                say_value(l->value, at);
            if (AS_TEXT)
                out_c('\n');
            if (l->element < cnt)
                continue;
        }
        if (array && IN_JSON)
            out_c(']');
        l->value++;
        l->left--;
        l->element = 0;
        l->first = false;
    }
}

// ------------------------------------------------------------------------------------------------ a fault

// {"fault":{"code":"Sender","argument":"unit","reason":"missing: unit: expected c or f"}}
static void write_fault(bool sender, const char *expected, const char *before, const char *why)
{
    if (AS_XML) {
        soap_fault(sender ? SOAP_SENDER : SOAP_RECEIVER, before, why);
        return;
    }
    if (AS_TEXT) {
        SAY("fault: ");
    } else {
        SAY("{\"fault\":{\"code\":\"");
        if (sender)
            SAY("Sender");
        else
            SAY("Receiver");
        if (expected != NULL) {
            uint8_t c;
            SAY("\",\"argument\":\"");
            if (WHIT_HAS_RECORDS)
                say_place();
            for (const uint8_t *at = (const uint8_t *)expected; (c = whit_flash_u8(at)) != ':'; at++)
                out_c((char)c);
        }
        SAY("\",\"reason\":\"");
    }
    say(before);
    if (WHIT_HAS_RECORDS)
        say_place();
    uint8_t c;
    for (const uint8_t *at = (const uint8_t *)why; (c = whit_flash_u8(at)) != 0; at++)
        if (AS_TEXT)
            out_c((char)c);
        else
            say_character(c);
    if (AS_TEXT)
        out_c('\n');
    else
        SAY("\"}}");
}

static const char no_words[] WHIT_FLASH = "";

// Chooses the status of a fault. A handler's own choice wins, except in SOAP, where all faults have one status (SOAP
// 1.1 section 6.2).
static void choose_status(const struct whit_service *service, bool sender)
{
    uint8_t text = whit_flash_u8(sender && !AS_XML ? &service->status_400 : &service->status_500);
    if (AS_XML)
        answer_status_only(text);
    else
        answer_status_else(text);
}

// Returns false if it was not refused.
static bool say_refusal(const struct whit_service *service, const struct args_t *args)
{
    static const char twice[] WHIT_FLASH = "given twice: ", missing[] WHIT_FLASH = "missing: ";
#if WHIT_HAS_RECORDS
    static const char body[] WHIT_FLASH = "expected one JSON object of the arguments";
#else
    static const char body[] WHIT_FLASH = "expected one JSON object of single values";
#endif
    uint8_t wrong = args != NULL ? *(const uint8_t *)args : 0, index = wrong & WHIT_WRONG_INDEX;
    service_why = NULL;
    if (wrong == 0)
        return false;
    choose_status(service, true);
    if (!WHIT_HAS_SOAP_ALONE && wrong == WHIT_WRONG_BODY) {
        write_fault(true, NULL, no_words, body);
        return true;
    }
    const char *const *all = whit_flash_ptr(&service->expected),
                      *expected = WHIT_HAS_RECORDS ? service_blames(service, args) : NULL;
    if (expected == NULL)
        expected = whit_flash_ptr(&all[index - 1]);
    uint8_t kind = wrong & (uint8_t)~WHIT_WRONG_INDEX;
    write_fault(true, expected,
                kind == WHIT_WRONG_TWICE     ? twice
                : kind == WHIT_WRONG_MISSING ? missing
                                             : no_words,
                expected);
    if (WHIT_HAS_RECORDS)
        service_blames_none();
    return true;
}

static void say_answer(const struct whit_service *service, char said, const void *result)
{
    static const char failed[] WHIT_FLASH = "the function failed";
    if (said != 0) {
        if (AS_XML)
            soap_reply_begin(service);
        write_result(whit_flash_ptr(&service->values), whit_flash_u8(&service->value_cnt), result);
        if (AS_XML)
            soap_reply_end(service);
    } else {
        choose_status(service, service_why != NULL);
        write_fault(service_why != NULL, NULL, no_words, service_why != NULL ? service_why : failed);
    }
}

// A signed answer is written twice: first for its hash, then with the signature.
bool whit_service_refuses(const struct whit_service *service, const struct args_t *args)
{
    bool refuses = say_refusal(service, args);
    if (WHIT_HAS_REPLIES && refuses && signed_again())
        (void)say_refusal(service, args);
    return refuses;
}

char whit_service_says(const struct whit_service *service, char said, const void *result)
{
    say_answer(service, said, result);
    if (WHIT_HAS_REPLIES && signed_again())
        say_answer(service, said, result);
    return 1;
}

// ---------------------------------------------------------------------------------------------- values given by pieces

// The answer of a function with a value that is given in pieces, and is longer than the memory. It is written again for
// each piece, from the function's result, and only octets that no earlier piece had are kept. Octets of the value are
// requested where they are needed. Only the current piece is in memory.

#if WHIT_HAS_GIVES

bool whit_pieces_calls(struct whit_pt *pt, const struct args_t *args, struct whit_pieces *pieces)
{
    if (pt->line != 0)
        return false;
    pt->line = 1;
    service_why = NULL;
    pieces->as = service_as;
    pieces->refused = args != NULL && *(const uint8_t *)args != 0;
    return !pieces->refused;
}

void whit_pieces_said(struct whit_pieces *pieces, char said)
{
    pieces->said = said;
    memcpy(pieces->why, &service_why, sizeof service_why);
}

char whit_pieces_goes_on(const struct whit_service *service, struct args_t *args, struct whit_pieces *pieces,
                         const void *result)
{
    struct whit_out *out = whit_out;
    uint16_t room = out_room_left();
    struct whit_out piece = {.to = out->to + out->len, .from = (whit_position)pieces->at, .room = room, .kept = true};
    whit_out = &piece;
    service_giving(service, args);
    service_as = pieces->as;
    memcpy(&service_why, pieces->why, sizeof service_why);
    if (!pieces->refused)
        say_answer(service, pieces->said, result);
    else
        (void)say_refusal(service, args);
    whit_out = out;
    if (!service_gave())
        return 0;
    whit_position left = (whit_position)(piece.len - piece.from);
    bool ends = left <= room;
    uint16_t now = ends ? (uint16_t)left : room;
    out->len = (whit_position)(out->len + now);
    pieces->at += now;
    return ends ? PT_DONE : PT_WAITS;
}

#endif

// --------------------------------------------------------------------------------------- the place of a wrong argument

// Writes the place of a wrong argument in records and arrays: points[3].x.

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
