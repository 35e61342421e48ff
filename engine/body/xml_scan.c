// SPDX-License-Identifier: MIT
// The scanner of XML (xml_scan.h): its table, and what octets do that are not only steps from state to state.
#include <string.h>

#include "xml_parts.h"
#include "xml_rows.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/texts.h"
#include "whit/port.h"

static const struct xml_rows xml_rows WHIT_FLASH = {
    .outside = {{' ', XML_OUTSIDE}, {'<', XML_LT}, {ANY, NO_XML}},
    .begin = {{0xef, XML_MARK_2}},
    .marked = {{' ', XML_OUTSIDE}, {'<', XML_LT_FIRST}, {0, NO_TEXT}, {0xff, NO_TEXT}, {0xfe, NO_TEXT}, {0xef, NO_TEXT}, {ANY, NO_XML}},
    .mark_2 = {{0xbb, XML_MARK_3}, {ANY, NO_TEXT}},
    .mark_3 = {{0xbf, XML_MARKED}, {ANY, NO_TEXT}},
    .lt_first = {{'?', THEN_PI}},
    .lt = {{'!', XML_BANG}, {'/', THEN_END}, {'?', REFUSES}, {0, NO_TEXT}, {ANY, THEN_NAME}},
    .bang = {{'-', XML_COMMENT_OPEN}, {'[', XML_CDATA_C}, {'D', REFUSES}, {ANY, NO_XML}},
    .comment_open = {{'-', XML_COMMENT}, {ANY, NO_XML}},
    .cdata_c = {{'C', XML_CDATA_D}, {ANY, NO_XML}},
    .cdata_d = {{'D', XML_CDATA_A}, {ANY, NO_XML}},
    .cdata_a = {{'A', XML_CDATA_T}, {ANY, NO_XML}},
    .cdata_t = {{'T', XML_CDATA_A2}, {ANY, NO_XML}},
    .cdata_a2 = {{'A', XML_CDATA_BRACKET}, {ANY, NO_XML}},
    .cdata_bracket = {{'[', THEN_CDATA}, {ANY, NO_XML}},
    .comment_1 = {{'-', XML_COMMENT_2}, {ANY, THEN_COMMENT}},
    .comment_2 = {{'>', THEN_COMMENTED}, {ANY, NO_XML}},
    .plain_1 = {{']', XML_PLAIN_2}, {ANY, THEN_BRACKETS}},
    .plain_2 = {{']', THEN_BRACKET}, {'>', NO_XML}, {ANY, THEN_BRACKETS}},
    .cdata_1 = {{']', XML_CDATA_2}, {ANY, THEN_BRACKETS}},
    .cdata_2 = {{']', THEN_BRACKET}, {'>', XML_PLAIN}, {ANY, THEN_BRACKETS}},
    .behind_value = {{' ', XML_IN_TAG}, {'>', THEN_OPENED}, {'/', THEN_OPENED}, {ANY, NO_XML}},
    .in_tag = {{' ', XML_IN_TAG}, {'>', THEN_OPENED}, {'/', THEN_OPENED}, {ANY, THEN_ATTRIBUTE}},
    .pi_value = {{' ', XML_PI}, {'?', XML_PI_CLOSE}, {ANY, NO_XML}},
    .pi = {{' ', XML_PI}, {'?', XML_PI_CLOSE}, {ANY, THEN_ATTRIBUTE}},
    .pi_close = {{'>', THEN_DECLARED}, {ANY, NO_XML}},
    .equals = {{' ', XML_EQUALS}, {'=', XML_QUOTE}, {ANY, NO_XML}},
    .quote = {{' ', XML_QUOTE}, {'"', XML_DOUBLE_QUOTED}, {'\'', XML_SINGLE_QUOTED}, {ANY, NO_XML}},
    .slash = {{'>', THEN_CLOSED}, {ANY, NO_XML}},
    .behind_end = {{' ', XML_BEHIND_END}, {'>', THEN_CLOSED}, {ANY, NO_XML}},
    .entity_first = {{'#', XML_DECIMAL_FIRST}},
    .entity = {{';', THEN_ENTITY}, {ANY, THEN_LETTER}},
    .decimal_first = {{'x', XML_HEX_FIRST}, {ANY, THEN_DIGIT}},
    .decimal = {{';', THEN_CHARACTER}, {ANY, THEN_DIGIT}},
    .hex_first = {{ANY, THEN_DIGIT}},
    .hex = {{';', THEN_CHARACTER}, {ANY, THEN_DIGIT}},
    .failed = {{ANY, THEN_STILL}},
    .comment_event = {XML_MORE},
    .comment = {{'-', XML_COMMENT_1}, {'\r', XML_COMMENT}, {ANY, NO_TEXT}},
    .cdata_event = {XML_TEXT},
    .cdata = {{']', XML_CDATA_1}, {'\r', THEN_SPACE}, {ANY, NO_TEXT}},
    .plain_event = {XML_TEXT},
    .plain = {{'<', XML_LT}, {'&', THEN_REFERENCE}, {']', XML_PLAIN_1}, {'\r', THEN_SPACE}, {ANY, NO_TEXT}},
    .double_quoted_event = {XML_VALUE},
    .double_quoted = {{'"', THEN_VALUED}, {'&', THEN_REFERENCE}, {'<', NO_XML}, {'\t', THEN_SPACE}, {'\n', THEN_SPACE}, {'\r', THEN_SPACE}, {ANY, NO_TEXT}},
    .single_quoted_event = {XML_VALUE},
    .single_quoted = {{'\'', THEN_VALUED}, {'&', THEN_REFERENCE}, {'<', NO_XML}, {'\t', THEN_SPACE}, {'\n', THEN_SPACE}, {'\r', THEN_SPACE}, {ANY, NO_TEXT}},
    .name_event = {XML_NAME},
    .name = {{ANY, THEN_NAMED}},
    .attribute_event = {XML_ATTRIBUTE},
    .attribute = {{ANY, THEN_NAMED}},
    .end_name_event = {XML_END_NAME},
    .end_name = {{ANY, THEN_NAMED}},
    .pi_name_event = {XML_MORE},
    .pi_name = {{ANY, THEN_NAMED}},
};

void xml_begin(struct xml *x, uint32_t key, uint16_t known)
{
    memset(x, 0, sizeof *x);
    x->key = key | 1;
    x->known = x->names_at = known;
    x->state = XML_BEGIN;
}

// The pair that an octet has in a row. White space is one thing where it does not mean itself.
static const uint8_t *xml_pair(uint8_t state, uint8_t c)
{
    const uint8_t *pair = (const uint8_t *)&xml_rows + 2 * state;
    if (state < XML_RUNS && (c == '\t' || c == '\n' || c == '\r'))
        c = ' ';
    for (uint8_t octet; (octet = whit_flash_u8(pair)) != c && octet != ANY;)
        pair += 2;
    return pair;
}

uint8_t xml_then(uint8_t state, uint8_t c)
{
    return whit_flash_u8(xml_pair(state, c) + 1);
}

enum xml_event xml_event_of(uint8_t state)
{
    return (enum xml_event)whit_flash_u8((const uint8_t *)&xml_rows + 2 * state - 2);
}

// ------------------------------------------------------------------------------------------------ references

static bool number_octet(struct xml *x, uint8_t c)
{
    bool hex = x->state >= XML_HEX_FIRST;
    uint8_t digit = (uint8_t)(c - '0');
    if (digit > 9)
        digit = hex && (uint8_t)((c | 0x20) - 'a') < 6 ? (uint8_t)((c | 0x20) - 'a' + 10) : 0xff;
    x->state = hex ? XML_HEX : XML_DECIMAL;
    x->code = x->code * (hex ? 16 : 10) + digit;
    return digit != 0xff && (x->code <= 0x10ffff || xml_wrong(x, XML_ENCODING));
}

static const uint32_t entities[] WHIT_FLASH = {0x6c74, 0x6774, 0x616d70, 0x61706f73, 0x71756f74};    // lt gt amp apos quot
static const char meant[] WHIT_FLASH = "<>&'\"";

// The character of an entity.
static bool entity_end(struct xml *x)
{
    for (uint8_t i = 0; i < sizeof meant - 1; i++)
        if (whit_flash_u32(&entities[i]) == x->code) {
            x->code = whit_flash_u8((const uint8_t *)&meant[i]);
            return true;
        }
    return xml_wrong(x, XML_ENTITY);
}

static bool entity_octet(struct xml *x, uint8_t c)
{
    if (c == 0 || x->code >> 24 != 0)
        return xml_wrong(x, XML_ENTITY);
    x->code = x->code << 8 | c;
    x->state = XML_IN_ENTITY;
    return true;
}

// ------------------------------------------------------------------------------------------------ all of it

static enum xml_event scan_event(bool right, enum xml_event event)
{
    return right ? event : XML_WRONG;
}

static enum xml_event brackets(struct xml *x, struct xml_input *in)
{
    x->character[0] = x->character[1] = ']';
    in->octets = x->character;
    return XML_TEXT;
}

#if WHIT_FAST
#define SCAN_ALONE
#else
#define SCAN_ALONE __attribute__((noinline))    // put inline, it takes 190 octets more on a Cortex-M3
#endif

static SCAN_ALONE enum xml_event scan_octet(struct xml *x, struct xml_input *in, uint8_t c)
{
    uint8_t then = xml_then(x->state, c), within = x->depth != 0 ? XML_PLAIN : XML_OUTSIDE;
    bool right = true;
    if (WHIT_HAS_CHARSETS && x->charset == XML_ISO_8859_1 && c >= 0x80 && x->state >= XML_RUNS) {    // as a reference by its number would be
        x->code = c;
        if (x->state >= XML_NAMES && !xml_wide_name(x))
            return XML_WRONG;
        x->back = x->state;
        then = THEN_CHARACTER;
    }
    if (then < THEN_ACTIONS) {
        if (WHIT_HAS_CHARSETS && then == XML_MARKED) {
            x->charset = XML_UTF_8;
            x->fixed = true;
        }
        x->state = then;
        return XML_MORE;
    }
    switch (then) {
    case THEN_NAME:
    case THEN_ATTRIBUTE:
        in->at--;
        right = then != THEN_NAME || x->depth != 0 || !x->rooted;
        xml_name_begin(x, then == THEN_NAME ? XML_IN_NAME : XML_IN_ATTRIBUTE);
        break;
    case THEN_END:
        right = x->depth != 0;
        xml_name_begin(x, XML_IN_END);
        break;
    case THEN_PI:
        x->pi = true;
        xml_name_begin(x, XML_IN_PI);
        break;
    case THEN_NAMED:
        in->at--;
        right = !x->first && xml_named(x);
        break;
    case THEN_VALUED: return scan_event(xml_valued(x), XML_VALUED);
    case THEN_OPENED:
        x->state = c == '>' ? XML_PLAIN : XML_SLASH;
        return scan_event(xml_tagged(x), XML_OPENED);
    case THEN_CLOSED:
        xml_close(x);
        x->state = x->depth != 0 ? XML_PLAIN : XML_OUTSIDE;
        return XML_CLOSED;
    case THEN_COMMENTED: x->state = within; break;
    case THEN_DECLARED:
        right = x->seen != 0;
        x->pi = false;
        x->fold = 0;
        x->state = XML_OUTSIDE;
        break;
    case THEN_CDATA:
        right = x->depth != 0;
        x->state = XML_CDATA;
        break;
    case THEN_COMMENT:
        in->at--;
        x->state = XML_COMMENT;
        break;
    case THEN_BRACKETS:
        in->at--;
        in->len = x->state == XML_PLAIN_2 || x->state == XML_CDATA_2 ? 2 : 1;
        x->state = x->state >= XML_CDATA_1 ? XML_CDATA : XML_PLAIN;
        return brackets(x, in);
    case THEN_BRACKET: in->len = 1; return brackets(x, in);
    case THEN_SPACE:
        x->cr = c == '\r';
        x->character[0] = x->state >= XML_WORDS ? ' ' : '\n';
        return xml_write(x, in, 1);
    case THEN_REFERENCE:
        right = !x->pi;
        x->back = x->state;
        x->state = XML_ENTITY_FIRST;
        x->code = 0;
        break;
    case THEN_LETTER: right = entity_octet(x, c); break;
    case THEN_DIGIT: right = number_octet(x, c); break;
    case THEN_ENTITY:
    case THEN_CHARACTER:
        right = then == THEN_ENTITY ? entity_end(x) : xml_character(x->code) || xml_wrong(x, XML_ENCODING);
        x->state = x->back;
        if (right)
            return xml_write(x, in, utf8_write(x->character, x->code));
        break;
    case THEN_STILL: return XML_WRONG;
    default: right = xml_wrong(x, (enum xml_why)(then - THEN_WRONG)); break;
    }
    return scan_event(right, XML_MORE);
}

enum xml_event xml_next(struct xml *x, struct xml_input *in)
{
    enum xml_event event = XML_MORE;
    while (event == XML_MORE && in->at != in->end) {
        in->octets = in->at;
        if (x->cr) {
            x->cr = false;
            if (*in->at == '\n') {
                in->at++;
                continue;
            }
        }
        if (x->state >= XML_RUNS && !xml_run(x, in))
            event = XML_WRONG;
        else if (in->at != in->octets)
            event = xml_event_of(x->state);
        else
            event = scan_octet(x, in, *in->at++);
        if (x->pi && event != XML_WRONG)
            event = XML_MORE;
    }
    if (event == XML_WRONG)
        x->state = XML_FAILED;
    return event;
}
