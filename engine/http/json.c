// SPDX-License-Identifier: MIT
// A JSON object as a body (RFC 8259): its members are arguments, like those of a form. It is read one octet at a time,
// in constant memory. The state between two octets is in the slot's request and in struct body. Names and strings are
// UTF-8 (RFC 3629), escapes become UTF-8. Nested objects and arrays are refused if no argument is a record or an array.
#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/port.h"

// request.json: the state, with JSON_NAME while a name is read, perhaps with JSON_SPACE.
enum json_state {
    // white space is allowed here
    JSON_BEGIN,
    JSON_FIRST,
    JSON_NEXT,
    JSON_COLON,
    JSON_VALUE,
    JSON_ELEMENT_FIRST,
    JSON_ELEMENT,
    JSON_AFTER,
    JSON_END,
    JSON_MINUS,
    JSON_ZERO,
    JSON_INTEGER,
    JSON_POINT,
    JSON_FRACTION,
    JSON_E,
    JSON_SIGN,
    JSON_EXPONENT,
    JSON_WORD,
    // LOW: the second half of a pair follows
    JSON_STRING,
    JSON_ESCAPE,
    JSON_LOW,
    JSON_LOW_U,
    // octets of a character that follow
    JSON_TAIL_1,
    JSON_TAIL_2,
    JSON_TAIL_3,
    // digits of an escape that follow
    JSON_HEX_1,
    JSON_HEX_2,
    JSON_HEX_3,
    JSON_HEX_4,
};
#define JSON_NAME 0x80
#define JSON_SPACE 0x40    // white space was read: a body of it alone is no object
#define JSON_STATE(t) ((uint8_t)((t)->request.json & (JSON_SPACE - 1)))

// `word` of the request is a place here.
static const char json_words[] WHIT_FLASH = "true\0false\0null";
enum { WORD_TRUE = 0, WORD_FALSE = 5, WORD_NULL = 11 };
#define TAIL_RANGE(low, high) ((uint16_t)((low) << 8 | (high)))

static void json_malformed(struct whit_tcb *t)
{
    if (WHIT_HAS_LOG)
        log_why(t, WHY_JSON);
    if (!WHIT_HAS_SERVICES || !service_wrong(t, WHIT_WRONG_BODY)) {
        refuse(t, HTTP_400);
        return;
    }
    t->request.step = STEP_QUERY_SKIP;    // the rest is skipped
    t->request.json = JSON_END;
}

static void json_go(struct whit_tcb *t, uint8_t state)
{
    if (t->request.step < STEP_DONE)    // otherwise it contains the status of the refusal
        t->request.json = (uint8_t)((t->request.json & JSON_NAME) | state);
}

// Stores an octet of a name or of a value. It is dropped if the resource has no arguments.
static void json_put(struct whit_tcb *t, uint8_t c)
{
    if (t->request.step != STEP_QUERY_SKIP && t->request.step < STEP_DONE)
        argument_octet(t, c, true);
}

static void json_put_code(struct whit_tcb *t, uint32_t code)
{
    uint8_t octets[4], len = utf8_write(octets, code);
    if (code == 0)
        json_malformed(t);    // a string ends at its NUL
    for (uint8_t i = 0; code != 0 && i < len; i++)
        json_put(t, octets[i]);
}

static void json_value_end(struct whit_tcb *t)
{
    if (t->request.step == STEP_QUERY_VALUE)
        argument_octet(t, '&', false);
    json_go(t, JSON_AFTER);
}

// ------------------------------------------------------------------------------------------------ strings

static void json_string_end(struct whit_tcb *t)
{
    if ((t->request.json & JSON_NAME) == 0) {
        json_value_end(t);
        return;
    }
    t->request.json = JSON_COLON;
    if (t->request.step != STEP_QUERY_SKIP)
        argument_octet(t, '=', false);
}

static void json_string(struct whit_tcb *t, uint8_t c)
{
    uint8_t tails = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (c == '"') {
        json_string_end(t);
    } else if (c == '\\') {
        json_go(t, JSON_ESCAPE);
    } else if (c < ' ' || (c >= 0x80 && (c < 0xc2 || c > 0xf4))) {
        json_malformed(t);
    } else {
        json_put(t, c);
        if (c < 0x80)
            return;
        t->request.range = TAIL_RANGE(c == 0xe0   ? 0xa0
                                      : c == 0xf0 ? 0x90
                                                  : 0x80,
                                      c == 0xed   ? 0x9f
                                      : c == 0xf4 ? 0x8f
                                                  : 0xbf);
        json_go(t, (uint8_t)(JSON_TAIL_1 + tails - 1));
    }
}

static void json_tail(struct whit_tcb *t, uint8_t c, uint8_t state)
{
    if (c < t->request.range >> 8 || c > (t->request.range & 0xff)) {
        json_malformed(t);
        return;
    }
    json_put(t, c);
    t->request.range = TAIL_RANGE(0x80, 0xbf);
    json_go(t, state == JSON_TAIL_1 ? JSON_STRING : (uint8_t)(state - 1));
}

static void json_escape(struct whit_tcb *t, uint8_t c)
{
    static const char from[] WHIT_FLASH = "\"\\/bfnrt", to[] WHIT_FLASH = "\"\\/\b\f\n\r\t";
    t->request.unit = 0;
    json_go(t, c == 'u' ? JSON_HEX_4 : JSON_STRING);
    for (uint8_t i = 0; c != 'u'; i++) {
        if (i == sizeof from - 1) {
            json_malformed(t);
            return;
        }
        if (whit_flash_u8(&from[i]) == c) {
            json_put(t, whit_flash_u8(&to[i]));
            return;
        }
    }
}

// All digits of an escape were read: UTF-16, of which a pair of units is one character.
static void json_unit(struct whit_tcb *t, struct body *b)
{
    uint16_t unit = t->request.unit, kind = unit & 0xfc00, high = b->json_high;
    b->json_high = 0;
    json_go(t, JSON_STRING);
    if ((high != 0) != (kind == 0xdc00)) {
        json_malformed(t);
    } else if (high != 0) {
        json_put_code(t, UINT32_C(0x10000) + ((uint32_t)(high & 0x3ff) << 10 | (unit & 0x3ff)));
    } else if (kind == 0xd800) {
        b->json_high = unit;
        json_go(t, JSON_LOW);
    } else {
        json_put_code(t, unit);
    }
}

static void json_hex(struct whit_tcb *t, struct body *b, uint8_t c, uint8_t state)
{
    uint8_t lower = c >= 'A' ? c | 0x20 : c;
    if (!in_class(CLASS_HEX, lower)) {
        json_malformed(t);
        return;
    }
    t->request.unit = (uint16_t)(t->request.unit << 4 | hex_value(lower));
    if (state != JSON_HEX_1)
        json_go(t, (uint8_t)(state - 1));
    else
        json_unit(t, b);
}

// ------------------------------------------------------------------------------------------------ other values

// Begins a value that is not a string. A value of the wrong type is refused.
static void json_plain(struct whit_tcb *t, uint8_t c, uint8_t state)
{
    uint8_t type = argument_type(t);
    bool fits = c == 'n' || type == ARGUMENT_UNKNOWN || (c == 't' || c == 'f' ? type == WHIT_BOOL : type < WHIT_ENUM);
    json_go(t, state);
    if (!fits && !(WHIT_HAS_SERVICES && state == JSON_WORD)) {
        refuse_value(t);
    } else if (state != JSON_WORD) {
        json_put(t, c);
    } else {
        if (WHIT_HAS_SERVICES && !fits)
            refuse_value(t);
        t->request.word = c == 't' ? WORD_TRUE : c == 'f' ? WORD_FALSE : WORD_NULL;
    }
}

// An object or an array, which no argument is.
static void json_nested(struct whit_tcb *t)
{
    refuse_value(t);
    if (WHIT_HAS_SERVICES && t->request.step < STEP_DONE)
        json_malformed(t);
}

// The value of an argument that is a record or an array.
static void json_open(struct whit_tcb *t, uint8_t c, uint8_t opens)
{
    if (c != opens) {
        refuse_value(t);
    } else if (c == '[') {
        array_enter(t);
        json_go(t, JSON_ELEMENT_FIRST);
    } else {
        record_enter(t);
        json_go(t, JSON_FIRST);
    }
}

static void json_value(struct whit_tcb *t, uint8_t c)
{
    uint8_t opens = WHIT_HAS_RECORDS ? argument_opens(t) : 0;
    if (WHIT_HAS_RECORDS && opens != 0 && c != 'n')
        json_open(t, c, opens);
    else if (c == '"')
        json_go(t, JSON_STRING);
    else if (c == '-')
        json_plain(t, c, JSON_MINUS);
    else if ((uint8_t)(c - '0') <= 9)
        json_plain(t, c, c == '0' ? JSON_ZERO : JSON_INTEGER);
    else if (c == 't' || c == 'f' || c == 'n')
        json_plain(t, c, JSON_WORD);
    else if ((c == '{' || c == '[') && argument_type(t) != ARGUMENT_UNKNOWN)
        json_nested(t);
    else
        json_malformed(t);
}

static void json_word(struct whit_tcb *t, uint8_t c)
{
    uint16_t at = (uint16_t)(t->request.word + 1);
    if (whit_flash_u8(&json_words[at]) != c) {
        json_malformed(t);
        return;
    }
    t->request.word = at;
    if (whit_flash_u8(&json_words[at + 1]) != 0)
        return;
    if (at > WORD_NULL)
        argument_null(t);
    else
        json_put(t, at < WORD_FALSE ? '1' : '0');
    json_value_end(t);
}

// True: the octet belongs to the number.
static bool json_number(struct whit_tcb *t, uint8_t c, uint8_t state)
{
    bool digit = (uint8_t)(c - '0') <= 9, e = c == 'e' || c == 'E';
    uint8_t next = JSON_BEGIN;    // none
    switch (state) {
    case JSON_MINUS:
        next = !digit ? JSON_BEGIN : c == '0' ? JSON_ZERO : JSON_INTEGER;
        break;
    case JSON_ZERO:
    case JSON_INTEGER:
        next = digit && state == JSON_INTEGER ? JSON_INTEGER : c == '.' ? JSON_POINT : e ? JSON_E : JSON_BEGIN;
        break;
    case JSON_POINT:
    case JSON_FRACTION:
        next = digit ? JSON_FRACTION : e && state == JSON_FRACTION ? JSON_E : JSON_BEGIN;
        break;
    case JSON_E:
    case JSON_SIGN:
    default:
        next = digit ? JSON_EXPONENT : state == JSON_E && (c == '+' || c == '-') ? JSON_SIGN : JSON_BEGIN;
        break;
    }
    if (next != JSON_BEGIN) {
        json_go(t, next);
        json_put(t, c);
        return true;
    }
    if (state == JSON_ZERO || state == JSON_INTEGER || state == JSON_FRACTION || state == JSON_EXPONENT)
        json_value_end(t);
    else
        json_malformed(t);
    return false;
}

// ------------------------------------------------------------------------------------------------ the object

// True if the octet is between an array's elements.
static bool json_array(struct whit_tcb *t, uint8_t c, uint8_t state)
{
    bool after = state == JSON_AFTER && array_is_read(t);
    if (!after && state != JSON_ELEMENT_FIRST && state != JSON_ELEMENT)
        return false;
    if (c == ']' && state != JSON_ELEMENT) {
        array_leave(t);
        json_go(t, JSON_AFTER);
    } else if (!after) {
        array_next(t);
        json_value(t, c);
    } else if (c == ',') {
        json_go(t, JSON_ELEMENT);
    } else {
        json_malformed(t);
    }
    return true;
}

static void json_object_end(struct whit_tcb *t)
{
    if (!WHIT_HAS_RECORDS || record_depth(t) == 0) {
        json_go(t, JSON_END);
        return;
    }
    record_leave(t);
    json_go(t, JSON_AFTER);
}

static void json_between(struct whit_tcb *t, uint8_t c, uint8_t state)
{
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        t->request.json |= JSON_SPACE;
        return;
    }
    if (WHIT_HAS_RECORDS && json_array(t, c, state))
        return;
    if (state == JSON_VALUE)
        json_value(t, c);
    else if (state == JSON_BEGIN && c == '{')
        json_go(t, JSON_FIRST);
    else if ((state == JSON_FIRST || state == JSON_NEXT) && c == '"')
        t->request.json = JSON_NAME | JSON_STRING;
    else if ((state == JSON_FIRST || state == JSON_AFTER) && c == '}')
        json_object_end(t);
    else if (state == JSON_COLON && c == ':')
        json_go(t, JSON_VALUE);
    else if (state == JSON_AFTER && c == ',')
        json_go(t, JSON_NEXT);
    else
        json_malformed(t);
}

void json_octet(struct whit_tcb *t, struct body *b, uint8_t c)
{
    uint8_t state = JSON_STATE(t);
    if (state >= JSON_MINUS && state <= JSON_EXPONENT && json_number(t, c, state))
        return;
    if (t->request.step >= STEP_DONE)
        return;
    if (WHIT_HAS_RECORDS && records_frozen(t)) {
        t->request.step = STEP_QUERY_SKIP;    // the rest is skipped
        t->request.json = JSON_END;
        return;
    }
    state = JSON_STATE(t);
    if (state <= JSON_END)
        json_between(t, c, state);
    else if (state == JSON_WORD)
        json_word(t, c);
    else if (state == JSON_STRING)
        json_string(t, c);
    else if (state == JSON_ESCAPE)
        json_escape(t, c);
    else if (state >= JSON_HEX_1)
        json_hex(t, b, c, state);
    else if (state >= JSON_TAIL_1)
        json_tail(t, c, state);
    else if (c == (state == JSON_LOW ? '\\' : 'u'))
        json_go(t, state == JSON_LOW ? JSON_LOW_U : JSON_HEX_4);
    else
        json_malformed(t);
    if (state == JSON_LOW_U)
        t->request.unit = 0;
}

bool json_ended(struct whit_tcb *t)
{
    if (JSON_STATE(t) == JSON_END || t->request.json == JSON_BEGIN)    // without an octet it has no members
        return true;
    json_malformed(t);
    return false;
}
