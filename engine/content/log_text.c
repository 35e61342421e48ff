// SPDX-License-Identifier: MIT
// The words of the request log. A client's octets are shown in printable ASCII, others as \xNN, and cut where the line is full.
#include <string.h>

#include "log.h"
#include "../base/tables.h"
#include "whit/port.h"

// The order is that of enum log_why. '#' stands for the number, '@' for the limit, '$' for a name that the application gave.
static const char log_texts[] WHIT_FLASH =
    "\0"
    "the request line is malformed\0"
    "the request target is malformed: an octet or a percent-encoding that is not allowed\0"
    "the request target: expected /PATH, or http:// or https:// with a host, a port up to 65535 if any, and without a user name\0"
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

static char hex_digit(uint8_t nibble) { return (char)(nibble < 10 ? '0' + nibble : 'a' + nibble - 10); }

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
    const struct whit_generator *generator =
        WHIT_HAS_GENERATORS && e->resource < whit_flash_u16(&whit_resource_cnt) ? whit_flash_ptr(&whit_resources[e->resource].generator) : NULL;
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
