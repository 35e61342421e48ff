// SPDX-License-Identifier: MIT
// The scanner of XML (xml.h): its table, and octets whose action is more than a step from state to state.
#include <string.h>

#include "xml.h"
#include "xml_rows.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/text.h"
#include "whit/port.h"

static void xml_name_begin(struct xml *x, uint8_t state);
static bool xml_wide_name(struct xml *x);                  // x->code is one of a name here
static bool xml_named(struct xml *x);                      // a name ended
static bool xml_valued(struct xml *x);                     // a value ended
static bool xml_tagged(struct xml *x);                     // a start tag ended
static void xml_close(struct xml *x);                      // an end tag ended, or an empty element
static bool xml_wrong(struct xml *x, enum xml_why why);    // false
static bool xml_character(uint32_t code);
static bool xml_run(struct xml *x, struct xml_input *in);    // octets that mean themselves; false: one of them is wrong
// instead of octets of the input: x->character
static enum xml_event xml_write(struct xml *x, struct xml_input *in, uint8_t len);

static const struct xml_rows xml_rows WHIT_FLASH = {
    .outside = {{' ', XML_OUTSIDE}, {'<', XML_LT}, {ANY, NO_XML}},
    .begin = {{0xef, XML_MARK_2}},
    .marked = {{' ', XML_OUTSIDE},
               {'<', XML_LT_FIRST},
               {0, NO_TEXT},
               {0xff, NO_TEXT},
               {0xfe, NO_TEXT},
               {0xef, NO_TEXT},
               {ANY, NO_XML}},
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
    .double_quoted = {{'"', THEN_VALUED},
                      {'&', THEN_REFERENCE},
                      {'<', NO_XML},
                      {'\t', THEN_SPACE},
                      {'\n', THEN_SPACE},
                      {'\r', THEN_SPACE},
                      {ANY, NO_TEXT}},
    .single_quoted_event = {XML_VALUE},
    .single_quoted = {{'\'', THEN_VALUED},
                      {'&', THEN_REFERENCE},
                      {'<', NO_XML},
                      {'\t', THEN_SPACE},
                      {'\n', THEN_SPACE},
                      {'\r', THEN_SPACE},
                      {ANY, NO_TEXT}},
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

static enum xml_event xml_event_of(uint8_t state)
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

// lt gt amp apos quot
static const uint32_t entities[] WHIT_FLASH = {0x6c74, 0x6774, 0x616d70, 0x61706f73, 0x71756f74};
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
    // as a reference by its number would be
    if (WHIT_HAS_CHARSETS && x->charset == XML_ISO_8859_1 && c >= 0x80 && x->state >= XML_RUNS) {
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
    case THEN_VALUED:
        return scan_event(xml_valued(x), XML_VALUED);
    case THEN_OPENED:
        x->state = c == '>' ? XML_PLAIN : XML_SLASH;
        return scan_event(xml_tagged(x), XML_OPENED);
    case THEN_CLOSED:
        xml_close(x);
        x->state = x->depth != 0 ? XML_PLAIN : XML_OUTSIDE;
        return XML_CLOSED;
    case THEN_COMMENTED:
        x->state = within;
        break;
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
    case THEN_BRACKET:
        in->len = 1;
        return brackets(x, in);
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
    case THEN_LETTER:
        right = entity_octet(x, c);
        break;
    case THEN_DIGIT:
        right = number_octet(x, c);
        break;
    case THEN_ENTITY:
    case THEN_CHARACTER:
        right = then == THEN_ENTITY ? entity_end(x) : xml_character(x->code) || xml_wrong(x, XML_ENCODING);
        x->state = x->back;
        if (right)
            return xml_write(x, in, utf8_write(x->character, x->code));
        break;
    case THEN_STILL:
        return XML_WRONG;
    default:
        right = xml_wrong(x, (enum xml_why)(then - THEN_WRONG));
        break;
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

// ------------------------------------------------------------------------------------------------ names

// Names of XML (xml.h): their characters, the open elements, the prefixes, unique attributes (Namespaces in XML 1.0,
// section 6.3). An XML declaration has pseudo-attributes instead (section 2.8).

#define OTHER_MASK 0x3fff

static const char word_xmlns[] WHIT_FLASH = "xmlns", word_xml[] WHIT_FLASH = "xml",
                               pseudo_encoding[] WHIT_FLASH = "encoding";
// Pseudo-attributes of an XML declaration: a version, perhaps an encoding, then perhaps one of the last two.
#if WHIT_HAS_CHARSETS
static const char pseudo_attributes[][20] WHIT_FLASH = {
    "version=1.0", "encoding=utf-8", "encoding=iso-8859-1", "encoding=us-ascii", "standalone=yes", "standalone=no",
};
#else
static const char pseudo_attributes[][15] WHIT_FLASH = {"version=1.0", "encoding=utf-8", "standalone=yes",
                                                        "standalone=no"};
#endif
#define PSEUDO_CNT (sizeof pseudo_attributes / sizeof *pseudo_attributes)
#define ENCODINGS_END (PSEUDO_CNT - 2)

static bool xml_wrong(struct xml *x, enum xml_why why)
{
    x->why = (uint8_t)why;
    return false;
}

// ------------------------------------------------------------------------------------------------ octets

static void xml_part_begin(struct xml *x)
{
    x->hash = ~x->key;
    x->node = x->state == XML_IN_NAME ? x->names_at : x->state == XML_IN_END ? NODE_NONE : x->known;
    x->first = true;
}

__attribute__((noinline)) static void xml_name_begin(struct xml *x, uint8_t state)
{
    x->state = state;
    x->prefix = 0;
    x->colon = false;
    xml_part_begin(x);
}

static uint32_t name_hashed(const struct xml *x, uint32_t hash, uint8_t c)
{
    return (hash ^ c) * x->key;
}

static uint32_t hash_of(const struct xml *x, const char *word)
{
    uint32_t hash = ~x->key;
    for (uint8_t c; (c = whit_flash_u8((const uint8_t *)word)) != 0; word++)
        hash = name_hashed(x, hash, c);
    return hash;
}

// Reads octets of a word.
static void xml_word(struct xml *x, const uint8_t *octets, const uint8_t *end)
{
    uint8_t fold = x->state < XML_NAMES ? x->fold : 0;
    uint32_t hash = x->hash;
    uint16_t node = x->node;
    for (; octets != end; octets++) {
        uint8_t c = *octets | fold;
        hash = name_hashed(x, hash, c);
        if (WHIT_HAS_DIGEST && c == '#' && x->state < XML_NAMES && !x->declares)
            node = x->known;    // words of WS-Security follow it
        else if (node != NODE_NONE && whit_flash_u8(&whit_targets[node]) == c + LAST)
            node++;    // most octets of a URI; only they may continue there
        else if (node != NODE_NONE)
            node = automaton_step(whit_targets, node, c);
    }
    x->hash = hash;
    x->node = node;
}

// Returns false if the octet is not a name's.
static bool xml_name_octet(struct xml *x, uint8_t c)
{
    if ((uint8_t)((c | 0x20) - 'a') < 26 || c == '_')
        x->first = false;
    else if (c != '-' && c != '.' && (uint8_t)(c - '0') > 9)
        return false;
    return !x->first;
}

// Reads a colon. Returns false if it is not a name's.
static bool xml_prefixed(struct xml *x)
{
    if (x->first || x->colon)
        return false;
    x->prefix = x->hash;
    x->colon = true;
    xml_part_begin(x);
    return true;
}

// NameStartChar and NameChar (section 2.3), first and last of each range; of the last three only NameChar.
static const uint16_t name_ranges[] WHIT_FLASH = {
    0xc0,   0xd6,   0xd8,   0xf6,   0xf8,   0x2ff,  0x370,  0x37d,  0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f,
    0x2c00, 0x2fef, 0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0xb7,  0xb7,   0x300,  0x36f,  0x203f, 0x2040,
};
#define NAME_RANGES (sizeof name_ranges / sizeof *name_ranges / 2)

static bool xml_wide_name(struct xml *x)
{
    uint32_t code = x->code;
    const uint16_t *range = name_ranges;
    bool fits = code >= 0x10000 && code < 0xf0000;
    for (uint8_t left = NAME_RANGES - (x->first ? 3 : 0); left != 0; left--, range += 2)
        fits |= code >= whit_flash_u16(range) && code <= whit_flash_u16(range + 1);
    x->first = false;
    return fits;
}

// ------------------------------------------------------------------------------------------------ namespaces

static uint16_t uri_of(const struct xml *x, uint32_t prefix)
{
    for (uint8_t i = x->namespace_cnt; i-- != 0;)
        if (x->prefixes[i] == prefix)
            return x->uris[i];
    if (prefix == 0)
        return XML_URI_NONE;
    return prefix == hash_of(x, word_xml) ? XML_URI_XML : XML_URI_UNBOUND;
}

uint16_t xml_element_uri(const struct xml *x)
{
    return uri_of(x, x->element);
}

uint16_t xml_attribute_uri(const struct xml *x, uint8_t index)
{
    uint32_t prefix = x->attributes[index].prefix;
    return prefix == 0 ? XML_URI_NONE : uri_of(x, prefix);
}

static bool namespace_declared(struct xml *x, uint16_t uri)
{
    uint32_t prefix = x->attributes[x->attribute_cnt].local;
    bool empty = x->hash == ~x->key;
    uint8_t cnt = x->namespace_cnt;
    if (uri == NODE_NONE)
        uri = empty ? XML_URI_NONE : (uint16_t)(XML_URI_OTHER | (x->hash >> 16 & OTHER_MASK));
    if ((empty && prefix != 0) || (uri == XML_URI_XML) != (prefix == hash_of(x, word_xml)) ||
        prefix == hash_of(x, word_xmlns))
        return false;
    for (uint8_t i = cnt; i-- != 0 && x->depths[i] > x->depth;)
        if (x->prefixes[i] == prefix)
            return xml_wrong(x, XML_TWICE);
    if (cnt == XML_NAMESPACES_MAX)
        return xml_wrong(x, XML_TOO_MUCH);
    x->prefixes[cnt] = prefix;
    x->uris[cnt] = uri;
    x->depths[cnt] = (uint8_t)(x->depth + 1);
    x->namespace_cnt++;
    return true;
}

// ------------------------------------------------------------------------------------------------ an XML declaration

static bool pseudo_valued(struct xml *x)
{
    bool encoding = x->seen == 1 && x->fold != 0;
    for (uint8_t i = x->seen; i < (x->seen == 0 ? 1 : PSEUDO_CNT); i++)
        if (hash_of(x, pseudo_attributes[i]) == x->hash && x->prefix == 0) {
            if (WHIT_HAS_CHARSETS && encoding && !x->fixed)
                x->charset = (i - 1) & 3u;
            x->seen = i == 0 ? 1 : i < ENCODINGS_END ? ENCODINGS_END : PSEUDO_CNT;
            return true;
        }
    if (WHIT_HAS_CHARSETS && encoding && x->fixed) {
        x->seen = ENCODINGS_END;
        return true;
    }
    return xml_wrong(x, encoding ? XML_ENCODING : XML_MALFORMED);
}

// ------------------------------------------------------------------------------------------------ elements

static uint32_t whole_name(const struct xml *x)
{
    return x->prefix * x->key ^ x->hash;
}

static bool attribute_named(struct xml *x)
{
    uint32_t xmlns = hash_of(x, word_xmlns);
    bool alone = x->prefix == 0 && x->hash == xmlns;
    uint8_t index = x->attribute_cnt;
    if (index == XML_ATTRIBUTES_MAX)
        return xml_wrong(x, XML_TOO_MUCH);
    x->declares = alone || x->prefix == xmlns;
    x->attributes[index].prefix = x->prefix;
    x->attributes[index].local = alone ? 0 : x->hash;
    x->attribute = automaton_value(whit_targets, x->node);
    if (x->pi) {
        x->fold = x->hash == hash_of(x, pseudo_encoding) ? 0x20 : 0;
        x->hash = name_hashed(x, x->hash, '=');    // the value is added to the hash
    } else {
        xml_part_begin(x);
    }
    x->state = XML_EQUALS;
    return true;
}

static bool xml_named(struct xml *x)
{
    uint8_t depth = x->depth;
    switch (x->state) {
    case XML_IN_NAME:
        if (depth == XML_DEPTH_MAX)
            return xml_wrong(x, XML_TOO_MUCH);
        x->names[depth] = whole_name(x);
        x->element = x->prefix;
        x->name = automaton_value(whit_targets, x->node);
        x->attribute_cnt = 0;
        x->state = XML_BEHIND_VALUE;
        return true;
    case XML_IN_ATTRIBUTE:
        return attribute_named(x);
    case XML_IN_END:
        x->state = XML_BEHIND_END;
        return x->names[depth - 1] == whole_name(x) || xml_wrong(x, XML_NESTING);
    default:
        x->state = XML_PI_VALUE;
        return whole_name(x) == hash_of(x, word_xml) || xml_wrong(x, XML_REFUSED);
    }
}

static bool xml_valued(struct xml *x)
{
    x->value = automaton_value(whit_targets, x->node);
    x->state = x->pi ? XML_PI_VALUE : XML_BEHIND_VALUE;
    if (x->pi)
        return pseudo_valued(x);
    if (x->declares)
        return namespace_declared(x, x->value);
    x->attribute_cnt++;
    return true;
}

static bool xml_tagged(struct xml *x)
{
    x->depth++;
    x->rooted = true;
    bool bound = xml_element_uri(x) != XML_URI_UNBOUND;
    for (uint8_t i = 0; i < x->attribute_cnt; i++) {
        uint16_t uri = xml_attribute_uri(x, i);
        bound = bound && uri != XML_URI_UNBOUND;
        for (uint8_t j = 0; j < i; j++)
            if (x->attributes[j].local == x->attributes[i].local && xml_attribute_uri(x, j) == uri)
                return xml_wrong(x, XML_TWICE);
    }
    return bound || xml_wrong(x, XML_UNBOUND);
}

static void xml_close(struct xml *x)
{
    while (x->namespace_cnt != 0 && x->depths[x->namespace_cnt - 1] == x->depth)
        x->namespace_cnt--;
    x->depth--;
}

// ------------------------------------------------------------------------------------------------ runs of characters

// Runs of octets that mean themselves: of names, values, texts, CDATA sections and comments (xml.h).

static bool xml_character(uint32_t code)
{
    if (code < ' ')
        return code == '\t' || code == '\n' || code == '\r';
    return code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff && code != 0xfffe && code != 0xffff);
}

// An octet of a character beyond ASCII (RFC 3629).
static bool wide_octet(struct xml *x, uint8_t c)
{
    if (x->tails == 0) {
        x->character_len = x->tails = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        x->code = c & (0x3fu >> x->tails);
        return c >= 0xc2 && c <= 0xf4;
    }
    x->code = x->code << 6 | (c & 0x3f);
    x->tails--;
    return (c & 0xc0) == 0x80 &&
           (x->tails != 0 || (xml_character(x->code) && x->code >> (5 * x->character_len + 1) != 0));
}

// Passes octets from `from` up to `at`, which were skipped, to the words.
static void run_words(struct xml *x, const uint8_t *from, const uint8_t *at)
{
    if (x->state >= XML_WORDS)
        xml_word(x, from, at);
}

static bool xml_run(struct xml *x, struct xml_input *in)
{
    uint8_t state = x->state;
    bool right = true;
    const uint8_t *at = in->at, *from = at;
    for (; at != in->end; at++) {
        uint8_t c = *at;
        if (c >= 0x80 || x->tails != 0) {
            if (WHIT_HAS_CHARSETS && x->charset == XML_ISO_8859_1)
                break;    // scan_octet() writes it
            if ((WHIT_HAS_CHARSETS && x->charset == XML_US_ASCII) || !wide_octet(x, c))
                right = xml_wrong(x, XML_ENCODING);
            else if (state >= XML_NAMES && x->tails == 0)
                right = xml_wide_name(x);
            if (!right)
                break;
        } else if (state < XML_NAMES) {
            if ((c < '.' || c == '<' || c == ']') &&
                ((c < ' ' && c != '\t' && c != '\n') || xml_then(state, c) != NO_TEXT))
                break;
        } else if (c == ':') {
            xml_word(x, from, at);
            if (!xml_prefixed(x))
                break;
            from = at + 1;
        } else if (!xml_name_octet(x, c)) {
            break;
        }
    }
    run_words(x, from, at);
    in->len = (uint16_t)(at - in->at);
    in->at = at;
    return right;
}

static enum xml_event xml_write(struct xml *x, struct xml_input *in, uint8_t len)
{
    in->octets = x->character;
    in->len = len;
    run_words(x, x->character, x->character + len);
    return xml_event_of(x->state);
}
