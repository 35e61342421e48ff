// SPDX-License-Identifier: MIT
// Detects clients that read JSON: their Accept names application/json and not text/html, or they send application/json. An error
// tells such a client its reason in JSON, and other clients in a page (log_page.c). Only whole lines of a head are read.
#include <string.h>

#include "log.h"

#if WHIT_HAS_PAGES
static char in_lower_case(uint8_t c) { return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c); }

static bool begins(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word != 0; word++, at++)
        if (at == end || in_lower_case(*at) != *word)
            return false;
    return true;
}

static bool has(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; at != end; at++)
        if (begins(at, end, word))
            return true;
    return false;
}

static void note_field(struct log_entry *e, const uint8_t *at, const uint8_t *end)
{
    if (begins(at, end, "accept:")) {
        e->takes_html |= has(at, end, "text/html");
        e->takes_json |= has(at, end, "application/json");
    } else if (begins(at, end, "content-type:")) {
        e->sends_json |= has(at, end, "application/json");
    }
}

void log_client(struct log_entry *e, const uint8_t *octets, uint16_t len)
{
    uint8_t line[2 * LOG_FIELD_MAX];
    const uint8_t *at = octets, *all = octets + len, *end;
    for (; at != all && (end = memchr(at, '\n', (size_t)(all - at))) != NULL; at = end + 1) {
        uint16_t before = at == octets ? e->field_len : 0, here = (uint16_t)(end - at);
        if (here + before < 2)
            return;    // the empty line
        if (before == 0) {
            note_field(e, at, end);
            continue;
        }
        if (here > LOG_FIELD_MAX)
            here = LOG_FIELD_MAX;
        memcpy(line, e->field, before);
        memcpy(line + before, at, here);
        note_field(e, line, line + before + here);
    }
}

bool log_says_json(const struct whit_tcb *tcb)
{
    const struct log_entry *e = log_entry(tcb);
    return e->sends_json || (e->takes_json && !e->takes_html);
}
#endif
