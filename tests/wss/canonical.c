// SPDX-License-Identifier: MIT
// One element of a document in its canonical form: passes the scanner's events as a reader of messages does.
#include <string.h>

#include "core/text.h"
#include "core/grammar.h"
#include "http/xml.h"
#include "wss/wss.h"

const uint8_t whit_words[GRAMMAR_SETS] = {0};
#include "uris.h"    // whit_targets: no namespace matters

// Computes the digest of the `wanted`th element, from 0 on; `prefixes`: its PrefixList, each with a NUL, `prefix_cnt`
// of them. 0: `digest` is set; 1: not a document; 2: more than the limits.
int host_canonical(const uint8_t *octets, uint32_t len, uint32_t first, uint32_t step, uint32_t wanted,
                   const char *prefixes, int prefix_cnt, uint8_t digest[32])
{
    static struct xml x;
    static struct c14n c;
    uint8_t inclusive = 0;
    bool done = false;
    xml_begin(&x, 0x9e3779b9, 0);
    c14n_begin(&c);
    for (int i = 0; i < prefix_cnt; i++, prefixes += strlen(prefixes) + 1)
        inclusive |= c14n_listed(&c, prefixes, (uint16_t)strlen(prefixes));
    for (uint32_t at = 0, now = first; at < len; at += now, now = step) {
        now = now < len - at ? now : len - at;
        struct xml_input in = {octets + at, octets + at + now, NULL, 0};
        enum xml_event event;
        while ((event = xml_next(&x, &in)) > XML_WRONG) {
            switch (event) {
            case XML_NAME:
                c14n_name(&c, in.octets, in.len);
                break;
            case XML_ATTRIBUTE:
                c14n_attribute(&c, in.octets, in.len);
                break;
            case XML_VALUE:
                c14n_value(&c, in.octets, in.len);
                break;
            case XML_VALUED:
                c14n_valued(&c);
                break;
            case XML_OPENED:
                c14n_tagged(&c);
                if (wanted-- == 0)
                    c14n_hash(&c, inclusive);
                c14n_opened(&c);
                break;
            case XML_TEXT:
                c14n_text(&c, in.octets, in.len);
                break;
            case XML_END_NAME:
                c14n_end_name(&c, in.octets, in.len);
                break;
            case XML_CLOSED:
                done |= c14n_closed(&c, digest);
                break;
            default:
                break;
            }
        }
        if (event == XML_WRONG)
            return 1;
    }
    return c.wrong ? 2 : done ? 0 : 1;
}
