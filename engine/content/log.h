// SPDX-License-Identifier: MIT
// The request log: one line for each request, with the reason of a refusal. The build chooses it (WHIT_HAS_LOG); an image
// without it has none of this. What a segment says is noted in `pending`, and counts only when its checksum holds.
#ifndef WHIT_LOG_H
#define WHIT_LOG_H

#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"
#include "whit/public.h"

// Why a request was refused, or its response cut off: the texts are in log_text.c, in this order.
enum log_why {
    WHY_NONE,
    WHY_LINE, WHY_TARGET, WHY_ABSOLUTE, WHY_FIELD, WHY_HOST, WHY_FRAMING, WHY_PARTIAL,
    WHY_VALUE, WHY_TWICE, WHY_MISSING,           // `number`: index of the argument
    WHY_FORM, WHY_PART, WHY_BOUNDARY, WHY_CHUNK, WHY_BODY_PARTIAL,
    WHY_PATH, WHY_EMPTY, WHY_METHOD, WHY_METHODS_GET, WHY_METHODS_POST, WHY_CODING, WHY_VERSION, WHY_MATCH,
    WHY_TARGET_MAX, WHY_FIELDS_MAX, WHY_UNWANTED, WHY_BODY_MAX, WHY_WHOLE_MAX, WHY_TYPE, WHY_CODED,
    WHY_TIMEOUT, WHY_BODY_TIMEOUT, WHY_ROOM,
    WHY_RETURNED, WHY_UNAVAILABLE, WHY_WROTE, WHY_LONG,           // `number`: octets that were written
    WHY_CHANGED, WHY_RESET, WHY_GIVEN_UP, WHY_EVICTED, WHY_REWRITTEN,
    WHY_CHOSEN, WHY_JSON,                           // `number`: fields that may be
    WHY_FILE, WHY_CHARSET,
    WHY_CNT
};

void log_request(const struct whit_tcb *t);    // its next request begins
void log_load(const struct whit_tcb *tcb);     // rx.pending is a copy of this slot
void log_keep(const struct whit_tcb *tcb);     // rx.pending takes effect in this slot
void log_parsed(const struct whit_tcb *t, const uint8_t *octets, uint16_t taken, uint16_t len);    // so many of them by the parser
// The first reason of a request stands. `name` is the handler that is the cause; `number`, `limit` are octets, seconds or an index.
void log_why_all(const struct whit_tcb *t, enum log_why why, enum whit_name name, uint32_t number, uint32_t limit);
static inline void log_why(const struct whit_tcb *t, enum log_why why) { log_why_all(t, why, WHIT_NAME_NONE, 0, 0); }
static inline void log_why_name(const struct whit_tcb *t, enum log_why why, enum whit_name name) { log_why_all(t, why, name, 0, 0); }
static inline void log_why_number(const struct whit_tcb *t, enum log_why why, uint32_t number) { log_why_all(t, why, WHIT_NAME_NONE, number, 0); }
WHIT_PUBLIC void log_unavailable(const char *flash, uint32_t number);    // why a handler returns PT_UNAVAILABLE, # is the number; NULL: it did not say
// log_line.c
void log_begun(const struct whit_tcb *tcb);    // its response begins: a refusal is told now
void log_acked(const struct whit_tcb *tcb, uint16_t acked);
void log_ended(const struct whit_tcb *tcb);    // its response ended: a success is told now

void log_sealed(const struct whit_tcb *tcb);   // sealed_log.c: ... or what TLS has to say, an alert for instance

bool log_says_json(const struct whit_tcb *tcb);    // log_client.c: an error tells this client its reason in JSON
// log_page.c: what follows the status line, and perhaps "Connection: close", of an error's response.
uint16_t page_len(const struct whit_tcb *tcb);
void page_walk(struct walk *w, const struct whit_tcb *tcb);

// ------------------------------------------------------------------------------------------------ of the files log*.c

#define LOG_LINE_MAX (WHIT_HAS_PAGES ? 256 : 64)    // octets of a request line that are kept
#define LOG_FIELD_MAX (WHIT_HAS_PAGES ? 96 : 32)    // of a field line
#define LOG_OUT_MAX (LOG_LINE_MAX + LOG_FIELD_MAX + 160)    // of a line of the log
struct log_entry {
    const char *more;        // of WHY_UNAVAILABLE, in flash
    uint32_t number, limit;
    uint32_t acked;          // octets of the response
    uint16_t resource;
    uint16_t line_len;       // octets of the request line; more than LOG_LINE_MAX: it was longer
    uint8_t field_len;
    uint8_t why;             // enum log_why
    uint8_t name;            // enum whit_name
    bool line_ended;
    bool shown;              // the line that was refused was noted to its end
#if WHIT_HAS_PAGES
    bool takes_json, takes_html, sends_json;
#endif
    uint8_t line[LOG_LINE_MAX], field[LOG_FIELD_MAX];
};
struct log_writer {
    char *to;
    uint16_t room, len;
    bool html;               // '<', '&' and quotes are escaped
    bool json;               // quotes and backslashes are
};
struct log_entry *log_entry(const struct whit_tcb *tcb);
void log_client(struct log_entry *e, const uint8_t *octets, uint16_t len);    // log_client.c: lines of a head
void log_put(struct log_writer *w, char c);
void log_flash(struct log_writer *w, const char *text);
void log_number(struct log_writer *w, uint32_t number);
void log_request_line(struct log_writer *w, const struct log_entry *e);    // method and target
void log_reason(struct log_writer *w, const struct log_entry *e);

#endif
