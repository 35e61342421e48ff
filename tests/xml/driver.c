// SPDX-License-Identifier: MIT
// The engine's scanner for tests: its events, as lines of octets.
#include <string.h>

#include "whit_limits.h"
#undef WHIT_HAS_CHARSETS
#define WHIT_HAS_CHARSETS 1
#include "../../engine/core/text.c"
#include "../../engine/http/xml.c"
#include "uris.h"    // whit_targets, written by the test

const uint8_t whit_words[GRAMMAR_SETS] = {0};

struct found {
    uint8_t *to;
    uint32_t len, max;
    uint8_t last;    // the last event, enum xml_event
};

static void add(struct found *f, const void *octets, uint32_t len)
{
    if (f->len + len > f->max)
        __builtin_trap();
    memcpy(f->to + f->len, octets, len);
    f->len += len;
}

static void add_number(struct found *f, uint16_t number)
{
    if (number > XML_URI_OTHER && number != XML_URI_UNBOUND)
        number = XML_URI_OTHER;    // the rest is a hash under the key
    char digits[8];
    int len = 0;
    do {
        digits[7 - len++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    add(f, digits + 8 - len, (uint32_t)len);
}

// Each event as its number and a colon where it differs from the one before, then its octets, closed by FF.
static void take(struct found *f, const struct xml *x, uint8_t event, const struct xml_input *in)
{
    bool pieces =
        event == XML_NAME || event == XML_ATTRIBUTE || event == XML_VALUE || event == XML_TEXT || event == XML_END_NAME;
    if (f->last != event || !pieces) {
        add(f, "\xff", 1);
        add_number(f, event);
        add(f, ":", 1);
    }
    f->last = event;
    if (pieces)
        add(f, in->octets, in->len);
    if (event == XML_VALUED)
        add(f, x->declares ? "d" : "a", 1);
    if (event == XML_OPENED) {
        add_number(f, xml_element_uri(x));
        for (uint8_t i = 0; i < x->attribute_cnt; i++) {
            add(f, " ", 1);
            add_number(f, xml_attribute_uri(x, i));
        }
    }
}

// Scans `octets` in pieces of `step`; the first has `first`. Returns the octets of the events; *why: 0xff: well-formed,
// 0xfe: incomplete, else enum xml_why.
__attribute__((visibility("default"))) uint32_t scan(const uint8_t *octets, uint32_t len, uint32_t first, uint32_t step,
                                                     uint32_t key, uint8_t *to, uint32_t max, uint8_t *why)
{
    struct xml x;
    struct found f = {to, 0, max, XML_MORE};
    xml_begin(&x, key, 0);
    for (uint32_t at = 0; at < len;) {
        uint32_t size = at == 0 ? first : step;
        if (size > len - at)
            size = len - at;
        struct xml_input in = {octets + at, octets + at + size, NULL, 0};
        uint8_t event;
        while ((event = (uint8_t)xml_next(&x, &in)) > XML_WRONG)
            take(&f, &x, event, &in);
        if (event == XML_WRONG) {
            *why = x.why;
            return f.len;
        }
        at += size;
    }
    *why = xml_ended(&x) ? 0xff : 0xfe;
    return f.len;
}

__attribute__((visibility("default"))) uint32_t scanner_octets(void)
{
    return sizeof(struct xml);
}
