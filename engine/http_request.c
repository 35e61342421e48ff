// SPDX-License-Identifier: MIT
// The request parser (RFC 9112): strict, one octet at a time, with a fast way over what matters to nobody.
#include "http.h"

#include <string.h>

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
    if (c == ' ') {
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
        t->request.step = STEP_LINE_END;
        t->request.marks = 0;
    }
}

// ------------------------------------------------------------------------------------------------ runs of octets

// Of a value that matters to nobody: as many words of the machine as have no octet below 0x20 or above 0x7e, then
// octets.
static const uint8_t *value_run(const uint8_t *at, const uint8_t *end)
{
    const size_t ones = ~(size_t)0 / 0xff;
    size_t word;
    for (; (size_t)(end - at) >= sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        if (((word | (word + ones) | ~(word + ones * 0x60)) & ones * 0x80) != 0)
            break;    // exact up to the first octet above 0x7f, which stops it itself
    }
    while (at != end && (uint8_t)(*at - ' ') < 0x5f)
        at++;
    return at;
}

// Of a method, a field's name or a token: letters and hyphens, which stand in all of them, only move the automaton.
// Names are compared in lower case; '-' has the bit anyway.
static const uint8_t *word_run(struct whit_tcb *t, const uint8_t *at, const uint8_t *end)
{
    uint16_t node = t->request.node;
    at = automaton_run(whit_words, &node, at, end, t->request.step == STEP_METHOD ? 0 : 0x20);
    t->request.node = node;
    return at;
}

// ------------------------------------------------------------------------------------------------ octets that end one

static void field_name_step(struct whit_tcb *t, uint8_t c)
{
    if (c == ':') {
        uint16_t field = automaton_value(whit_words, t->request.node);
        field_begin(t, (uint8_t)(field == NODE_NONE ? WHIT_OTHER_FIELD : field));
    } else if (!is_tchar(c)) {
        refuse(t, HTTP_400);    // white space: obs-fold, or before the colon (RFC 9112 sections 5.1, 5.2)
    } else {
        t->request.node = automaton_step(whit_words, t->request.node, c);
    }
}

static void value_step(struct whit_tcb *t, uint8_t c)
{
    if (c == '\r')
        field_end(t);
    else if ((c < ' ' && c != '\t') || c == 0x7f)
        refuse(t, HTTP_400);
    else
        field_step(t, c);
}

static void start_step(struct whit_tcb *t, uint8_t c)
{
    if (c == '\r' && t->request.node == 0) {
        t->request.node = 1;    // the one empty line that may stand before a request
        t->request.step = STEP_START_LF;
        return;
    }
    t->request.step = STEP_METHOD;
    t->request.node = WHIT_WORDS_METHODS;
    if (c == ' ')
        refuse(t, HTTP_400);
    else
        method_step(t, c);
}

// A line feed, and nothing else: what follows it is `next`.
static void line_feed(struct whit_tcb *t, uint8_t c, uint8_t next)
{
    t->request.step = next;
    if (c != '\n')
        refuse(t, HTTP_400);
    else if (next == STEP_DONE)
        fields_end(t);
}

static const uint8_t *field_line(struct whit_tcb *t, const uint8_t *at)
{
    t->request.node = WHIT_WORDS_FIELDS;
    t->request.step = *at == '\r' ? STEP_END_LF : STEP_FIELD_NAME;
    if (*at == ':')
        refuse(t, HTTP_400);    // no name
    return *at == '\r' ? at + 1 : at;
}

// Takes octets until they end, or the request does, or its first line.
static const uint8_t *take(struct whit_tcb *t, const uint8_t *at, const uint8_t *end)
{
    while (at != end && t->request.step < STEP_DONE) {
        switch (t->request.step) {
        case STEP_START: start_step(t, *at++); break;
        case STEP_START_LF: line_feed(t, *at++, STEP_START); break;
        case STEP_LINE_LF: line_feed(t, *at++, STEP_FIELD); break;
        case STEP_END_LF: line_feed(t, *at++, STEP_DONE); break;
        case STEP_FIELD: at = field_line(t, at); break;
        case STEP_METHOD:
            at = word_run(t, at, end);
            if (at != end)
                method_step(t, *at++);
            break;
        case STEP_FIELD_NAME:
            at = word_run(t, at, end);
            if (at != end)
                field_name_step(t, *at++);
            break;
        case STEP_VERSION: version_step(t, *at++); break;
        case STEP_VALUE:
            at = value_run(at, end);
            if (at != end)
                value_step(t, *at++);
            break;
        case STEP_HOST:
            at = host_run(t, at, end);
            if (at != end)
                value_step(t, *at++);
            break;
        case STEP_TOKEN:
            at = word_run(t, at, end);
            if (at != end)
                value_step(t, *at++);
            break;
        default:
            if (t->request.step <= STEP_QUERY_SKIP)
                target_step(t, *at++);
            else
                value_step(t, *at++);
            break;
        }
    }
    return at;
}

uint16_t http_parse(struct whit_tcb *work, const uint8_t *octets, uint16_t len)
{
    const uint8_t *at = octets, *end = octets + len;
    while (at != end && work->request.step < STEP_DONE) {
        uint16_t left = work->request.left;
        const uint8_t *from = at;
        at = take(work, at, (uint16_t)(end - at) < left ? end : at + left);
        work->request.left = (uint16_t)(left - (at - from));
        if (work->request.step == STEP_LINE_END) {
            work->request.step = STEP_LINE_LF;
            work->request.left = WHIT_FIELDS_MAX;
            if (WHIT_HAS_BODY)
                body_claim(work);
        } else if (work->request.left == 0 && work->request.step < STEP_DONE) {
            refuse(work, work->request.step <= STEP_VERSION ? HTTP_414 : HTTP_431);
        }
    }
    return (uint16_t)(at - octets);
}
