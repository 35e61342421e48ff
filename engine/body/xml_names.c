// SPDX-License-Identifier: MIT
// Names of XML (xml_scan.h): their characters, which elements are open, what prefixes stand for, and that no attribute comes
// twice (Namespaces in XML 1.0, section 6.3); and what an XML declaration has instead of attributes (section 2.8).
#include "xml_parts.h"
#include "xml_rows.h"
#include "../base/automaton.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "whit/port.h"

#define OTHER_MASK 0x3fff

static const char word_xmlns[] WHIT_FLASH = "xmlns", word_xml[] WHIT_FLASH = "xml", pseudo_encoding[] WHIT_FLASH = "encoding";
// What an XML declaration has: a version, perhaps an encoding, then perhaps one of the last two.
#if WHIT_HAS_CHARSETS
static const char pseudo_attributes[][20] WHIT_FLASH = {
    "version=1.0", "encoding=utf-8", "encoding=iso-8859-1", "encoding=us-ascii", "standalone=yes", "standalone=no",
};
#else
static const char pseudo_attributes[][15] WHIT_FLASH = {"version=1.0", "encoding=utf-8", "standalone=yes", "standalone=no"};
#endif
#define PSEUDO_CNT (sizeof pseudo_attributes / sizeof *pseudo_attributes)
#define ENCODINGS_END (PSEUDO_CNT - 2)

bool xml_wrong(struct xml *x, enum xml_why why)
{
    x->why = (uint8_t)why;
    return false;
}

// ------------------------------------------------------------------------------------------------ octets

void xml_part_begin(struct xml *x)
{
    x->hash = ~x->key;
    x->node = x->state == XML_IN_NAME ? x->names_at : x->state == XML_IN_END ? NODE_NONE : x->known;
    x->first = true;
}

__attribute__((noinline)) void xml_name_begin(struct xml *x, uint8_t state)
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

void xml_word(struct xml *x, const uint8_t *octets, const uint8_t *end)
{
    uint8_t fold = x->state < XML_NAMES ? x->fold : 0;
    uint32_t hash = x->hash;
    uint16_t node = x->node;
    for (; octets != end; octets++) {
        uint8_t c = *octets | fold;
        hash = name_hashed(x, hash, c);
        if (WHIT_HAS_DIGEST && c == '#' && x->state < XML_NAMES && !x->declares)
            node = x->known;    // WS-Security's words stand behind it
        else if (node != NODE_NONE && whit_flash_u8(&whit_targets[node]) == c + LAST)
            node++;    // as most octets of an URI are, which alone may go on there
        else if (node != NODE_NONE)
            node = automaton_step(whit_targets, node, c);
    }
    x->hash = hash;
    x->node = node;
}

bool xml_name_octet(struct xml *x, uint8_t c)
{
    if ((uint8_t)((c | 0x20) - 'a') < 26 || c == '_')
        x->first = false;
    else if (c != '-' && c != '.' && (uint8_t)(c - '0') > 9)
        return false;
    return !x->first;
}

bool xml_prefixed(struct xml *x)
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
    0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef,
    0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0xb7, 0xb7, 0x300, 0x36f, 0x203f, 0x2040,
};
#define NAME_RANGES (sizeof name_ranges / sizeof *name_ranges / 2)

bool xml_wide_name(struct xml *x)
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
    if ((empty && prefix != 0) || (uri == XML_URI_XML) != (prefix == hash_of(x, word_xml)) || prefix == hash_of(x, word_xmlns))
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
        x->hash = name_hashed(x, x->hash, '=');    // its value goes on with it
    } else {
        xml_part_begin(x);
    }
    x->state = XML_EQUALS;
    return true;
}

bool xml_named(struct xml *x)
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
    case XML_IN_ATTRIBUTE: return attribute_named(x);
    case XML_IN_END: x->state = XML_BEHIND_END; return x->names[depth - 1] == whole_name(x) || xml_wrong(x, XML_NESTING);
    default: x->state = XML_PI_VALUE; return whole_name(x) == hash_of(x, word_xml) || xml_wrong(x, XML_REFUSED);
    }
}

bool xml_valued(struct xml *x)
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

bool xml_tagged(struct xml *x)
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

void xml_close(struct xml *x)
{
    while (x->namespace_cnt != 0 && x->depths[x->namespace_cnt - 1] == x->depth)
        x->namespace_cnt--;
    x->depth--;
}
