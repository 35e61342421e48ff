// SPDX-License-Identifier: MIT
// HTTP/1.1 GET (RFC 9112) on a connection that the server opened. A line is read when it lies in the receive ring as a
// whole; of a longer one than GET_LINE, only its beginning is. Around chunks octets are read as they come, by the
// grammar of requests (buffer.h).
#include <string.h>

#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/state.h"
#include "../core/text.h"
#include "whit/http_get.h"

#define GET_LINE 48          // octets
#define GET_HEAD_MAX 8192    // octets of all lines
#define GET_PATIENCE 8       // limit for the whole answer, in time-outs

_Static_assert(TRANSFER_WRONG < 1 << 5, "struct whit_http_get");

static bool get_say(struct whit_http_get *get, const char *text)
{
    for (const char *c = text; *c != 0; c++)
        if (*c <= ' ' || *c == 0x7f || (*c & 0x80) != 0)
            return false;
    return client_send(get->client, text, (uint16_t)strlen(text));
}

static bool get_say_address(struct whit_http_get *get, uint32_t address)
{
    char text[16], *to = text;
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t number = (uint8_t)(address >> (24 - 8 * i));
        if (number >= 100)
            *to++ = (char)('0' + number / 100);
        if (number >= 10)
            *to++ = (char)('0' + number / 10 % 10);
        *to++ = (char)('0' + number % 10);
        *to++ = '.';
    }
    return client_send(get->client, text, (uint16_t)(to - 1 - text));
}

bool http_get_begin(struct whit_http_get *get, uint32_t address, uint16_t port, const char *host, const char *target,
                    uint16_t timeout_ms)
{
    static const char after_target[] = " HTTP/1.1\r\nHost: ", after_host[] = "\r\nConnection: close\r\n\r\n";
    *get = (struct whit_http_get){
        .since_ms = whit.now_ms, .timeout_ms = timeout_ms, .head_left = GET_HEAD_MAX, .step = TRANSFER_STATUS};
    get->client = client_open(address, port, timeout_ms);
    if (target[0] == '/' && client_send(get->client, "GET ", 4) && get_say(get, target) &&
        client_send(get->client, after_target, sizeof after_target - 1) &&
        (host != NULL ? get_say(get, host) : get_say_address(get, address)) &&
        client_send(get->client, after_host, sizeof after_host - 1))
        return true;
    client_abort(get->client);
    *get = (struct whit_http_get){.step = TRANSFER_WRONG};
    return false;
}

void http_get_end(struct whit_http_get *get)
{
    client_close(get->client);
    *get = (struct whit_http_get){.status = get->status, .step = get->step};
}

// ------------------------------------------------------------------------------------------------ lines

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

// Returns the value of the field in this line, in lower case and without blanks around it. NULL: another field.
static char *field_value(char *line, const char *name)
{
    uint8_t i = 0;
    for (; name[i] != 0; i++)
        if (lower(line[i]) != name[i])
            return NULL;
    char *value = line + i, *end = line + strlen(line);
    while (*value == ' ' || *value == '\t')
        value++;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = 0;
    for (char *c = value; *c != 0; c++)
        *c = lower(*c);
    return value;
}

// Reads digits up to the end of the text. False: other octets, or none.
static bool get_number(const char *text, uint32_t *number)
{
    *number = 0;
    const char *c = text;
    for (; *c != 0; c++) {
        if (!in_class(CLASS_DIGIT, (uint8_t)*c) || *number >= UINT32_C(0x0fffffff) / 10)
            return false;
        *number = *number * 10 + (uint8_t)(*c - '0');
    }
    return c != text;
}

static bool status_line(struct whit_http_get *get, const char *line)
{
    uint32_t status;
    char digits[4] = {0};
    if (memcmp(line, "HTTP/1.", 7) != 0 || line[7] < '0' || line[7] > '9' || line[8] != ' ')
        return false;
    memcpy(digits, line + 9, 3);
    if (!get_number(digits, &status) || status < 100 || status > 599 || (line[12] != ' ' && line[12] != 0))
        return false;
    get->status = (uint16_t)status;
    get->chunked = get->has_length = 0;
    get->step = TRANSFER_FIELDS;
    return true;
}

// Decides how the content ends (RFC 9112 section 6.3).
static void head_ended(struct whit_http_get *get)
{
    if (get->status < 200) {    // another one follows
        get->status = 0;
        get->step = TRANSFER_STATUS;
    } else if (get->status == 204 || get->status == 304 || (!get->chunked && get->has_length && get->left == 0)) {
        get->step = TRANSFER_DONE;
    } else if (get->chunked) {
        get->step = TRANSFER_SIZE;
        get->left = 0;
        get->head_left = TRAILERS_MAX;
    } else {
        get->step = get->has_length ? TRANSFER_DATA : TRANSFER_TO_CLOSE;
    }
}

// True: the line has a field's name and ':', or continues the line before it (RFC 9112 section 5). A name may be longer
// than the line.
static bool get_is_field(const char *line, bool whole)
{
    const char *c = line;
    while (in_class(CLASS_TCHAR, (uint8_t)*c))
        c++;
    return c == line ? in_class(CLASS_OWS, (uint8_t)*c) : *c == ':' || (*c == 0 && !whole);
}

static bool get_field_line(struct whit_http_get *get, char *line, bool whole)
{
    uint32_t length;
    if (line[0] == 0) {
        head_ended(get);
        return true;
    }
    char *value = field_value(line, "content-length:");
    if (value != NULL) {
        if (!whole || !get_number(value, &length) || (get->has_length && length != get->left))
            return false;
        get->has_length = 1;
        get->left = length;
        return true;
    }
    value = field_value(line, "transfer-encoding:");
    if (value == NULL)
        return get_is_field(line, whole);
    bool once = !get->chunked;
    get->chunked = 1;
    return once && whole && strcmp(value, "chunked") == 0;
}

// Reads a line, without its end. False: it is invalid.
static bool get_line(struct whit_http_get *get, char *line, bool whole)
{
    return get->step == TRANSFER_STATUS ? status_line(get, line) : get_field_line(get, line, whole);
}

// True: a line, or the beginning of one, was read.
static bool get_take_line(struct whit_http_get *get)
{
    char line[GET_LINE + 1];
    uint16_t len = client_peek(get->client, line, 0, GET_LINE);
    char *end = memchr(line, '\n', len);
    if (end == NULL && len < GET_LINE)
        return false;
    uint16_t gone = end != NULL ? (uint16_t)(end - line + 1) : len;
    uint16_t text = end != NULL ? (uint16_t)(gone - 1) : len;
    bool read = !get->long_line;
    if (end != NULL && text != 0 && line[text - 1] == '\r')
        text--;
    memset(line + text, 0, GET_LINE + 1u - text);
    get->long_line = end == NULL;
    client_skip(get->client, gone);
    bool fits = gone <= get->head_left;
    get->head_left = (uint16_t)(get->head_left - gone);
    if (!fits || (read && (memchr(line, 0, text) != NULL || !get_line(get, line, end != NULL))))
        get->step = TRANSFER_WRONG;
    return true;
}

// ------------------------------------------------------------------------------------------------ content

static bool get_is_over(const struct whit_http_get *get)
{
    return get->step >= TRANSFER_DONE || get->step == TRANSFER_NEW;
}

// True if octets come next that are not the content's.
static bool get_is_around(const struct whit_http_get *get)
{
    return get->step > TRANSFER_CHUNK && get->step < TRANSFER_DONE;
}

// Takes an octet around chunks. A lone LF ends a line too (RFC 9112 section 2.2).
static void get_take_octet(struct whit_http_get *get, uint8_t c)
{
    uint8_t next = chunked_step(get->step, c, &get->left);
    if (next == TRANSFER_WRONG && c == '\n')
        next = chunked_step(chunked_step(get->step, '\r', &get->left), c, &get->left);
    if (get->head_left-- == 0)
        next = TRANSFER_WRONG;
    if (next == TRANSFER_CHUNK)
        get->head_left = TRAILERS_MAX;
    get->step = next & 0x1fu;
}

// True: octets around chunks were read.
static bool get_take_octets(struct whit_http_get *get)
{
    uint8_t octets[GET_LINE];
    uint16_t taken = 0, len = client_peek(get->client, octets, 0, sizeof octets);
    while (taken != len && get_is_around(get))
        get_take_octet(get, octets[taken++]);
    client_skip(get->client, taken);
    return taken != 0;
}

enum http_get_state http_get_state(struct whit_http_get *get)
{
    if (!get_is_over(get) && whit.now_ms - get->since_ms > UINT32_C(1) * GET_PATIENCE * get->timeout_ms)
        get->step = TRANSFER_WRONG;
    while (get_is_around(get) && (get->step <= TRANSFER_FIELDS ? get_take_line(get) : get_take_octets(get))) {
    }
    if (get->step == TRANSFER_DONE)
        return HTTP_GET_END;
    if (get_is_over(get))
        return HTTP_GET_FAILED;
    bool content = !get_is_around(get);
    enum client_state state = client_state(get->client);
    if (content && client_available(get->client) != 0)
        return HTTP_GET_OCTETS;
    if (state == CLIENT_OPENING ||
        (state == CLIENT_OPEN && (content || client_available(get->client) < WHIT_CLIENT_RECEIVE)))
        return HTTP_GET_WAITS;
    get->step = get->step == TRANSFER_TO_CLOSE && state == CLIENT_ENDED ? TRANSFER_DONE : TRANSFER_WRONG;
    return get->step == TRANSFER_DONE ? HTTP_GET_END : HTTP_GET_FAILED;
}

uint16_t http_get_read(struct whit_http_get *get, void *to, uint16_t len)
{
    if (http_get_state(get) != HTTP_GET_OCTETS)
        return 0;
    if (get->step != TRANSFER_TO_CLOSE && get->left < len)
        len = (uint16_t)get->left;
    len = client_peek(get->client, to, 0, len);
    client_skip(get->client, len);
    if (get->step != TRANSFER_TO_CLOSE) {
        get->left -= len;
        if (get->left == 0)
            get->step = get->step == TRANSFER_CHUNK ? TRANSFER_CHUNK_CR : TRANSFER_DONE;
    }
    return len;
}
