// SPDX-License-Identifier: MIT
// Keeps each connection's request line, current field line and reason of refusal for the request log.
#include <string.h>

#include "content.h"
#include "log.h"
#include "status.h"
#include "strategies.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "whit/port.h"

static const char *unavailable;
static uint32_t unavailable_number;
static struct log_entry unsettled, entries[WHIT_CONNECTIONS];    // unsettled: of rx.pending

struct log_entry *log_entry(const struct whit_tcb *t)
{
    return t == &whit.rx.pending ? &unsettled : &entries[t - whit_slots];
}

void log_request(const struct whit_tcb *t)
{
    struct log_entry *e = log_entry(t);
    e->line_len = e->field_len = 0;
    e->line_ended = e->shown = false;
    e->why = WHY_NONE;
#if WHIT_HAS_PAGES
    e->takes_json = e->takes_html = e->sends_json = false;
#endif
}

void log_load(const struct whit_tcb *tcb) { unsettled = *log_entry(tcb); }

void log_keep(const struct whit_tcb *tcb) { *log_entry(tcb) = unsettled; }

// Appends octets to the kept request line, up to its end. Returns the number of octets read.
static uint16_t note_line(struct log_entry *e, const uint8_t *octets, uint16_t len)
{
    const uint8_t *end = memchr(octets, '\n', len);
    uint16_t taken = end != NULL ? (uint16_t)(end - octets + 1) : len, cnt = (uint16_t)(taken - (end != NULL));
    if (cnt != 0 && octets[cnt - 1] == '\r')
        cnt--;
    uint16_t at = e->line_len < LOG_LINE_MAX ? e->line_len : LOG_LINE_MAX, room = (uint16_t)(LOG_LINE_MAX - at);
    memcpy(e->line + at, octets, cnt < room ? cnt : room);
    e->line_len = cnt <= room ? (uint16_t)(e->line_len + cnt) : LOG_LINE_MAX + 1;
    e->line_ended = end != NULL && e->line_len != 0;
    return taken;
}

// Keeps the request line, and the field line that is being read. Earlier field lines are skipped.
static void note(struct log_entry *e, const uint8_t *octets, uint16_t len)
{
    uint16_t at = 0, field_at = len;
    while (at < len && !e->line_ended)
        at = (uint16_t)(at + note_line(e, octets + at, (uint16_t)(len - at)));
    while (field_at > at && octets[field_at - 1] != '\n')
        field_at--;
    if (field_at > at)
        e->field_len = 0;
    for (; field_at < len && e->field_len < LOG_FIELD_MAX; field_at++)
        if (octets[field_at] != '\r')
            e->field[e->field_len++] = octets[field_at];
}

// Returns which part of a request line is wrong: the octet at its end was refused, or the one after it.
static enum log_why why_of_line(const struct log_entry *e)
{
    const uint8_t *end = e->line + (e->line_len < LOG_LINE_MAX ? e->line_len : LOG_LINE_MAX), *at = memchr(e->line, ' ', (size_t)(end - e->line));
    if (at == NULL || at == e->line || (end - at > 1 && memchr(at + 1, ' ', (size_t)(end - at - 1)) != NULL))
        return WHY_LINE;
    at++;
    const uint8_t *host = memchr(at, ':', (size_t)(end - at));
    if (at != end && *at != '/')    // absolute: its path begins after the host
        at = host != NULL && end - host > 3 ? host + 3 : end;
    while (at != end && *at != '/' && *at != '?')
        at++;
    return at != end ? WHY_TARGET : WHY_ABSOLUTE;
}

// Returns the reason of a refusal for which the parser gave none: it follows from the status and the parser's position.
static enum log_why why_of(const struct log_entry *e, uint8_t status, uint32_t *number)
{
    *number = 0;
    switch (status) {
    case HTTP_400: return e->line_ended ? WHY_FIELD : why_of_line(e);
    case HTTP_413: *number = BODY_DISCARD_MAX; return WHY_UNWANTED;
    case HTTP_414: *number = REQUEST_LINE_MAX; return WHY_TARGET_MAX;
    case HTTP_431: *number = WHIT_FIELDS_MAX; return WHY_FIELDS_MAX;
    case HTTP_501: return e->line_ended ? WHY_CODING : WHY_METHOD;
    case HTTP_505: return WHY_VERSION;
    default: return WHY_NONE;
    }
}

#if WHIT_HAS_PAGES
// True if a complete request asks for a file: the engine refuses no such request, so its fields need no look.
static bool asks_file(const struct whit_tcb *t)
{
    if (!http_complete(t) || t->request.method == WHIT_POST || t->request.resource == RESOURCE_NONE || (t->request.flags & FLAG_MATCH) != 0)
        return false;
    return !WHIT_HAS_GENERATORS || whit_flash_ptr(&whit_resources[t->request.resource].generator) == NULL;
}

// Notes what the client reads. A refused head may continue behind the refused octet, so `len` may exceed what was parsed.
static void note_client(const struct whit_tcb *t, struct log_entry *e, const uint8_t *octets, uint16_t len)
{
    const uint8_t *end = e->line_ended ? octets : memchr(octets, '\n', len);
    if (end != NULL && !e->line_ended)
        end++;
    if (end != NULL && !asks_file(t))
        log_client(e, end, (uint16_t)(octets + len - end));
}
#endif

void log_parsed(const struct whit_tcb *t, const uint8_t *octets, uint16_t taken, uint16_t len)
{
    struct log_entry *e = log_entry(t);
#if WHIT_HAS_PAGES
    note_client(t, e, octets, http_refused(t) ? len : taken);
#endif
    note(e, octets, taken);
    if (!http_refused(t))
        return;
    if (e->why == WHY_NONE) {
        uint32_t number;
        enum log_why why = why_of(e, t->request.status, &number);
        log_why_number(t, why, number);
    }
    uint16_t end = taken;
    while (end < len && octets[end] != '\r' && octets[end] != '\n')
        end++;
    if (!e->shown)
        note(e, octets + taken, (uint16_t)(end - taken));    // the line is shown to its end
    e->shown |= end < len;
}

void log_why_all(const struct whit_tcb *t, enum log_why why, enum whit_name name, uint32_t number, uint32_t limit)
{
    struct log_entry *e = log_entry(t);
    if (e->why != WHY_NONE)
        return;
    e->why = (uint8_t)why;
    e->name = (uint8_t)name;
    e->number = number;
    e->limit = limit;
    e->more = NULL;
    if (why == WHY_UNAVAILABLE && unavailable != NULL) {
        e->more = unavailable;
        e->number = unavailable_number;
    }
    e->resource = t->state == TCB_RESPONSE ? t->response.resource : t->request.resource;
}

void log_unavailable(const char *flash, uint32_t number)
{
    unavailable = flash;
    unavailable_number = number;
}
