// SPDX-License-Identifier: MIT
// Runs of octets that mean themselves: of names, values, texts, CDATA sections and comments (xml_scan.h).
#include "xml_parts.h"
#include "xml_rows.h"
#include "../base/limits.h"

bool xml_character(uint32_t code)
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
    return (c & 0xc0) == 0x80 && (x->tails != 0 || (xml_character(x->code) && x->code >> (5 * x->character_len + 1) != 0));
}

// Octets from `from` on, of those that were passed over.
static void run_words(struct xml *x, const uint8_t *from, const uint8_t *at)
{
    if (x->state >= XML_WORDS)
        xml_word(x, from, at);
}

bool xml_run(struct xml *x, struct xml_input *in)
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
            if ((c < '.' || c == '<' || c == ']') && ((c < ' ' && c != '\t' && c != '\n') || xml_then(state, c) != NO_TEXT))
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

enum xml_event xml_write(struct xml *x, struct xml_input *in, uint8_t len)
{
    in->octets = x->character;
    in->len = len;
    run_words(x, x->character, x->character + len);
    return xml_event_of(x->state);
}
