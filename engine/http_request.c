// SPDX-License-Identifier: MIT
// The request parser (RFC 9112): strict, one octet at a time, with a fast way over what matters to nobody.
#include "http.h"

bool is_tchar(uint8_t c)
{
    static const uint8_t set[16] WHIT_FLASH = {
        0x00, 0x00, 0x00, 0x00, 0xfa, 0x6c, 0xff, 0x03, 0xfe, 0xff, 0xff, 0xc7, 0xff, 0xff, 0xff, 0x57,
    };    // bit c % 8 of octet c / 8: letters, digits and !#$%&'*+-.^_`|~
    return c < 0x80 && (whit_flash_u8(&set[c >> 3]) >> (c & 7) & 1) != 0;
}

uint8_t hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (uint8_t)(c - 'a' + 10) : 16;
}

void refuse(struct whit_tcb *t, uint8_t status)
{
    t->request.step = STEP_REFUSED;
    t->request.aux = status;
}

bool http_complete(const struct whit_tcb *work)
{
    return work->request.step == STEP_DONE;
}

bool http_refused(const struct whit_tcb *work)
{
    return work->request.step == STEP_REFUSED;
}

bool http_starved(const struct whit_tcb *work)
{
    return work->request.step == STEP_STARVED;
}

static void method_step(struct whit_tcb *t, uint8_t c)
{
    if (c == ' ' && t->request.length > 1) {
        uint16_t method = automaton_value(whit_words, t->request.node);
        t->request.method = (uint16_t)(method == NODE_NONE ? WHIT_UNKNOWN_METHOD : method) & 7;
        t->request.step = STEP_TARGET;
    } else if (!is_tchar(c)) {
        refuse(t, HTTP_400);
    } else {
        t->request.node = automaton_step(whit_words, t->request.node, c);
    }
}

// "HTTP/1." minor, CR; what is not that is not HTTP, another major version is not ours (RFC 9110 section 2.5).
static void version_step(struct whit_tcb *t, uint8_t c)
{
    static const uint8_t expected[7] WHIT_FLASH = "HTTP/1.";
    uint16_t at = t->request.node++;
    if (at == 5 && c != '1' && c >= '0' && c <= '9') {
        refuse(t, HTTP_505);
    } else if (at < 7 ? c != whit_flash_u8(&expected[at]) : at == 7 ? (c < '0' || c > '9') : c != '\r') {
        refuse(t, HTTP_400);
    } else if (at == 7) {
        t->request.version_1_0 = c == '0';
    } else if (at == 8) {
        t->request.step = STEP_LINE_LF;
        t->request.length = 0;
        t->request.marks = 0;
    }
}

static void field_name_step(struct whit_tcb *t, uint8_t c)
{
    if (c == ':') {
        uint16_t field = automaton_value(whit_words, t->request.node);
        field_begin(t, (uint8_t)(field == NODE_NONE ? WHIT_OTHER_FIELD : field));
    } else if (!is_tchar(c)) {
        refuse(t, HTTP_400);
    } else {
        t->request.node = automaton_step(whit_words, t->request.node, c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
}

static void line_step(struct whit_tcb *t, uint8_t c)
{
    switch (t->request.step) {
    case STEP_START:
        if (c == '\r' && t->request.length == 1) {
            t->request.step = STEP_START_LF;
            break;
        }
        t->request.step = STEP_METHOD;
        t->request.node = WHIT_WORDS_METHODS;
        t->request.length = 1;
        method_step(t, c);
        break;
    case STEP_START_LF:
    case STEP_LINE_LF:
        if (c != '\n')
            refuse(t, HTTP_400);
        else
            t->request.step = t->request.step == STEP_START_LF ? STEP_START : STEP_FIELD;
        break;
    case STEP_FIELD:
        t->request.step = c == '\r' ? STEP_END_LF : STEP_FIELD_NAME;
        t->request.node = WHIT_WORDS_FIELDS;
        if (c == ':')
            refuse(t, HTTP_400);    // no name
        else if (c != '\r')
            field_name_step(t, c);  // white space refuses an obs-fold (RFC 9112 section 5.2)
        break;
    case STEP_END_LF:
        if (c != '\n')
            refuse(t, HTTP_400);
        else
            fields_end(t);
        break;
    default:
        break;
    }
}

static void octet_step(struct whit_tcb *t, uint8_t c)
{
    uint8_t step = t->request.step;
    uint16_t limit = step <= STEP_VERSION ? WHIT_TARGET_MAX : WHIT_FIELDS_MAX;
    if (++t->request.length > limit) {
        refuse(t, step <= STEP_VERSION ? HTTP_414 : HTTP_431);
    } else if (step == STEP_METHOD) {
        method_step(t, c);
    } else if (step >= STEP_TARGET && step <= STEP_QUERY_SKIP) {
        target_step(t, c);
    } else if (step == STEP_VERSION) {
        version_step(t, c);
    } else if (step == STEP_FIELD_NAME) {
        field_name_step(t, c);
    } else if (step >= STEP_VALUE && step <= STEP_LENGTH) {
        if (c == '\r')
            field_end(t);
        else if ((c < ' ' && c != '\t') || c == 0x7f)
            refuse(t, HTTP_400);
        else
            field_step(t, c);
    } else {
        line_step(t, c);
    }
}

// How many octets from here on belong to a field value, or to the rest of a field name that nobody knows.
static uint16_t plain_run(const struct whit_tcb *t, const uint8_t *octets, uint16_t len)
{
    uint16_t n = 0;
    if (t->request.step == STEP_VALUE)
        while (n < len && octets[n] >= ' ' && octets[n] != 0x7f)
            n++;
    else if (t->request.step == STEP_FIELD_NAME && t->request.node == NODE_NONE)
        while (n < len && is_tchar(octets[n]))
            n++;
    return n;
}

uint16_t http_parse(struct whit_tcb *work, const uint8_t *octets, uint16_t len)
{
    uint16_t done = 0;
    while (done < len && work->request.step < STEP_DONE) {
        uint16_t run = plain_run(work, octets + done, (uint16_t)(len - done));
        if (run > WHIT_FIELDS_MAX - work->request.length && run != 0) {
            refuse(work, HTTP_431);
            break;
        }
        work->request.length = (uint16_t)(work->request.length + run);
        done = (uint16_t)(done + run);
        if (done < len)
            octet_step(work, octets[done++]);
    }
    return done;
}
