// SPDX-License-Identifier: MIT
// Keeps each connection's request line, current field line and reason of refusal for the request log.
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
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

void log_load(const struct whit_tcb *tcb)
{
    unsettled = *log_entry(tcb);
}

void log_keep(const struct whit_tcb *tcb)
{
    *log_entry(tcb) = unsettled;
}

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
    const uint8_t *end = e->line + (e->line_len < LOG_LINE_MAX ? e->line_len : LOG_LINE_MAX),
                  *at = memchr(e->line, ' ', (size_t)(end - e->line));
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
    case HTTP_400:
        return e->line_ended ? WHY_FIELD : why_of_line(e);
    case HTTP_413:
        *number = BODY_DISCARD_MAX;
        return WHY_UNWANTED;
    case HTTP_414:
        *number = REQUEST_LINE_MAX;
        return WHY_TARGET_MAX;
    case HTTP_431:
        *number = WHIT_FIELDS_MAX;
        return WHY_FIELDS_MAX;
    case HTTP_501:
        return e->line_ended ? WHY_CODING : WHY_METHOD;
    case HTTP_505:
        return WHY_VERSION;
    default:
        return WHY_NONE;
    }
}

#if WHIT_HAS_PAGES
// True if a complete request is for a file: the engine refuses no such request, so its fields need not be checked.
static bool asks_file(const struct whit_tcb *t)
{
    if (!http_complete(t) || t->request.method == WHIT_POST || t->request.resource == RESOURCE_NONE ||
        (t->request.flags & FLAG_MATCH) != 0)
        return false;
    return !WHIT_HAS_GENERATORS || whit_flash_ptr(&whit_resources[t->request.resource].generator) == NULL;
}

// Notes the formats that the client reads. A refused head may continue behind the refused octet, so `len` may exceed
// the parsed octets.
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

// ------------------------------------------------------------------------------------------------ the words of the log

// The words of the request log. A client's octets are shown in printable ASCII, others as \xNN, and cut where the line
// is full.

// The order is that of enum log_why. '#' stands for the number, '@' for the limit, '$' for a name that the application
// gave.
static const char log_texts[] WHIT_FLASH =
    "\0"
    "the request line is malformed\0"
    "the request target is malformed: an octet or a percent-encoding that is not allowed\0"
    "the request target: expected /PATH, or http:// or https:// with a host, a port up to 65535 if any, and without a "
    "user name\0"
    "malformed, or given twice: \0"
    "no Host field\0"
    "Transfer-Encoding beside Content-Length, or in HTTP/1.0\0"
    "the client closed the connection before the request was complete\0"
    "$\0"
    "given twice: $\0"
    "missing: $\0"
    "the form is malformed: an octet or a percent-encoding that is not allowed\0"
    "the multipart/form-data is malformed\0"
    "Content-Type has no boundary\0"
    "a chunk of the body is malformed\0"
    "the body ended too early\0"
    "no such path\0"
    "nothing has been stored there yet\0"
    "method not supported\0"
    "expected GET or HEAD\0"
    "expected POST or PUT\0"
    "Transfer-Encoding not supported: expected chunked\0"
    "HTTP version not supported: expected HTTP/1.1 or HTTP/1.0\0"
    "If-Match names another version\0"
    "request line longer than # octets (target_max in app.toml and 15)\0"
    "field lines longer than # octets (fields_max in app.toml)\0"
    "a body longer than # octets where none is expected\0"
    "body longer than # octets (body_max in app.toml)\0"
    "body of # octets: a plain doPostIn takes at most @ (buffer in app.toml), a protothread more\0"
    "Content-Type: expected $\0"
    "Content-Encoding: expected none, the body as it is\0"
    "the request was not complete after # s (request_timeout_s in app.toml)\0"
    "the body came too slowly: # s (request_timeout_s in app.toml), and 16 ms for each octet\0"
    "waited # s for room in the shared buffer (buffer in app.toml)\0"
    "$ returned 0\0"
    "$ returned PT_UNAVAILABLE: \0"
    "$: wrote # octets, the buffer has room for @ (buffer in app.toml)\0"
    "$: wrote # octets, a content has at most @\0"
    "cut off, $ wrote something else when it ran again\0"
    "reset by the client\0"
    "the client did not answer any more\0"
    "cut off to make room for another connection\0"
    "cut off, its stored content was written anew\0"
    "$: answer_field more than # times\0"
    "the JSON is malformed: expected one object of strings, numbers, booleans and null\0"
    "a file in multipart/form-data: expected fields of text only\0"
    "Content-Type: expected charset=utf-8, iso-8859-1 or us-ascii";

void log_put(struct log_writer *w, char c)
{
    const char *entity = !w->html ? "" : c == '<' ? "&lt" : c == '&' ? "&amp" : c == '"' ? "&quot" : "";
    for (; *entity != 0 && w->len < w->room; entity++, c = ';')
        w->to[w->len++] = *entity;
    if (w->json && (c == '"' || c == '\\') && w->len < w->room)
        w->to[w->len++] = '\\';
    if (w->len < w->room)
        w->to[w->len++] = c;
}

void log_flash(struct log_writer *w, const char *text)
{
    char c;
    while ((c = (char)whit_flash_u8((const uint8_t *)text++)) != 0)
        log_put(w, c);
}

void log_number(struct log_writer *w, uint32_t number)
{
    char reversed[10];
    uint8_t cnt = 0;
    do {
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        log_put(w, reversed[--cnt]);
}

static char hex_digit(uint8_t nibble)
{
    return (char)(nibble < 10 ? '0' + nibble : 'a' + nibble - 10);
}

// An octet that came from the client. Returns how many characters it takes.
static uint8_t put_octet(struct log_writer *w, uint8_t c)
{
    bool plain = c >= ' ' && c <= '~' && c != '\\';
    if (plain) {
        log_put(w, (char)c);
        return 1;
    }
    log_put(w, '\\');
    log_put(w, 'x');
    log_put(w, hex_digit(c >> 4));
    log_put(w, hex_digit(c & 15));
    return 4;
}

static void put_octets(struct log_writer *w, const uint8_t *octets, uint16_t len, uint16_t max, bool more)
{
    static const char dots[] WHIT_FLASH = "...";
    uint16_t shown = 0, i = 0;
    while (i < len && shown < max)
        shown = (uint16_t)(shown + put_octet(w, octets[i++]));
    if (more || i < len)
        log_flash(w, dots);
}

void log_request_line(struct log_writer *w, const struct log_entry *e)
{
    uint16_t len = e->line_len < LOG_LINE_MAX ? e->line_len : LOG_LINE_MAX, end = len;
    while (end != 0 && e->line[end - 1] != ' ')
        end--;
    while (len != 0 && end == len && e->line[len - 1] == ' ')
        end = --len;    // nothing follows the method, or the target
    bool version = end > 1 && len - end >= 5 && memcmp(e->line + end, "HTTP/", 5) == 0;
    if (len == 0)
        log_put(w, '-');
    put_octets(w, e->line, version ? (uint16_t)(end - 1) : len, LOG_LINE_MAX, e->line_len > LOG_LINE_MAX);
}

// "": it has none.
static void put_name(struct log_writer *w, const struct log_entry *e)
{
    const struct whit_generator *generator = WHIT_HAS_GENERATORS && e->resource < whit_flash_u16(&whit_resource_cnt)
                                                 ? whit_flash_ptr(&whit_resources[e->resource].generator)
                                                 : NULL;
    if (generator == NULL)
        return;
    const struct whit_names *names = whit_flash_ptr(&generator->texts);
    const char *name = NULL;
    if (e->name != WHIT_NAME_NONE)
        name = whit_flash_ptr(&names->handlers[e->name]);
    else if (e->why >= WHY_VALUE && e->why <= WHY_MISSING)
        name = whit_flash_ptr(whit_flash_ptr(&names->arguments) + e->number);
    else if (e->why == WHY_TYPE)
        name = whit_flash_ptr(&names->types);
    if (name != NULL)
        log_flash(w, name);
}

static void put_reason(struct log_writer *w, const struct log_entry *e, const char *at)
{
    char c;
    while ((c = (char)whit_flash_u8((const uint8_t *)at++)) != 0) {
        if (c == '#')
            log_number(w, e->number);
        else if (c == '@')
            log_number(w, e->limit);
        else if (c == '$')
            put_name(w, e);
        else
            log_put(w, c);
    }
}

void log_reason(struct log_writer *w, const struct log_entry *e)
{
    static const char unknown[] WHIT_FLASH = "what it needs is not there";
    static const char database[] WHIT_FLASH = "the database: ";
    const char *at = log_texts;
    for (uint8_t left = e->why; left != 0; at++)
        left = (uint8_t)(left - (whit_flash_u8((const uint8_t *)at) == 0));
    put_reason(w, e, at);
    if (e->why == WHY_UNAVAILABLE) {
        put_reason(w, e, e->more != NULL ? database : unknown);
        if (e->more != NULL)
            put_reason(w, e, e->more);
    }
    if (e->why == WHY_FIELD)
        put_octets(w, e->field, e->field_len, LOG_FIELD_MAX, e->field_len == LOG_FIELD_MAX);
}

// ---------------------------------------------------------------------------------------------- clients that read JSON

// Detects clients that read JSON: their Accept names application/json and not text/html, or they send application/json.
// An error's reason is in JSON for such a client, and in a page for others (log_line.c). Only whole lines of a head are
// read.

#if WHIT_HAS_PAGES
static char in_lower_case(uint8_t c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

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
