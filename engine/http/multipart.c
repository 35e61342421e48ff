// SPDX-License-Identifier: MIT
// A body in parts (multipart/form-data: RFC 7578, RFC 2046 section 5.1), or with one part that is the whole body.
// Octets are compared with the delimiter as they are read. The only CR of the delimiter is its first octet. Octets that
// differ from it are therefore content, and none of them can begin it.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../outgoing/outgoing.h"
#include "../response/response.h"
#include "whit/app.h"
#include "whit/port.h"

enum {
    PREAMBLE,     // before the first delimiter
    DELIMITED,    // after one
    DASH,         // '-' was read there
    PADDING,
    DELIMITED_LF,
    FIELD,    // first octet of a field line
    FIELD_NAME,
    FIELD_VALUE,
    FIELD_LF,
    HEAD_LF,    // the line feed of the empty line
    CONTENT,
    SKIP,        // content that its handler leaves
    EPILOGUE,    // after the last delimiter, or after the only part
};

void parts_begin(struct reader *r)
{
    struct parts *p = parts_kept(r);
    p->delimiter[0] = '\r';
    p->delimiter[1] = '\n';
    p->delimiter[2] = p->delimiter[3] = '-';
    p->phase = r->body->kind == BODY_MULTIPART ? PREAMBLE : CONTENT;
    p->matched = 2;    // the first delimiter may begin the body
}

bool parts_ended(const struct reader *r)
{
    return parts_kept(r)->phase == EPILOGUE && r->at == r->body->ready;
}

// ------------------------------------------------------------------------------------------------ octets of a part

int16_t part_peek(struct reader *r)
{
    struct parts *p = parts_kept(r);
    if (p->replayed < p->failed)
        return p->delimiter[p->replayed];
    if (p->over)
        return PART_OVER;
    for (; r->at != r->body->ready; r->at++) {
        uint8_t c = r->octets[r->at];
        if (r->body->kind == BODY_RAW)
            return c;
        if (c != p->delimiter[p->matched]) {
            if (p->matched == 0)
                return c;
            p->failed = p->matched;
            p->replayed = p->matched = 0;
            return p->delimiter[0];
        }
        if (++p->matched == 4 + r->body->boundary_len) {
            p->matched = 0;
            p->over = true;
            r->at++;
            return PART_OVER;
        }
    }
    p->over = r->body->kind == BODY_RAW && r->body->transfer == TRANSFER_DONE;
    return p->over ? PART_OVER : PART_DRY;
}

static int16_t part_take(struct reader *r)
{
    struct parts *p = parts_kept(r);
    int16_t c = part_peek(r);
    if (c < 0)
        return c;
    if (p->replayed < p->failed)
        p->replayed++;
    else
        r->at++;
    return c;
}

// The delimiter, or the body's end, is there.
static bool part_whole(const struct reader *r)
{
    uint16_t len = (uint16_t)(4 + r->body->boundary_len);
    if (r->body->kind == BODY_RAW)
        return r->body->transfer == TRANSFER_DONE;
    for (uint16_t at = r->at; at + UINT32_C(0) + len <= r->body->ready; at++)
        if (memcmp(r->octets + at, parts_kept(r)->delimiter, len) == 0)
            return true;
    return false;
}

// ----------------------------------------------------------------------------------------------- field lines of a part

static struct media part_media(struct reader *r)
{
    bool type = r->tcb->request.part_field == WHIT_MEDIA_TYPE;
    struct media m = {
        (uint8_t *)parts_kept(r)->filename, FILENAME_MAX_LEN, WHIT_MEDIA_FILENAME, true, false, 0, r->body};
    if (type)
        m.text = NULL;
    else
        m.body = NULL;
    return m;
}

static void field_name_end(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    uint16_t field = automaton_value(whit_words, tcb->request.node);
    tcb->request.part_field = field == WHIT_MEDIA_TYPE || field == WHIT_MEDIA_DISPOSITION ? (uint8_t)field : 0;
    parts_kept(r)->phase = FIELD_VALUE;
    media_begin(tcb, field == WHIT_MEDIA_TYPE ? whit_flash_u16(&r->post->types) : 0);
}

static void part_value_end(struct reader *r)
{
    parts_kept(r)->phase = FIELD_LF;
    if (r->tcb->request.part_field == 0)
        return;
    struct media m = part_media(r);
    uint8_t len = media_end(r->tcb, &m);
    if (m.text != NULL)
        m.text[len] = 0;
    else
        parts_kept(r)->typed = true;
}

static void part_value_step(struct reader *r, uint8_t c)
{
    if (c == '\r') {
        part_value_end(r);
    } else if ((c < ' ' && c != '\t') || c == 0x7f) {
        refuse(r->tcb, HTTP_400);
    } else if (r->tcb->request.part_field != 0) {
        struct media m = part_media(r);
        media_step(r->tcb, &m, c);
    }
    r->body->kind = BODY_MULTIPART;    // whatever a part's own type is
}

// A part without a type is text (RFC 7578 section 4.4).
static void type_default(struct reader *r)
{
    static const char text[] WHIT_FLASH = "text/plain";
    uint16_t node = whit_flash_u16(&r->post->types);
    for (uint8_t i = 0; i < sizeof text - 1; i++)
        node = automaton_step(whit_targets, node, whit_flash_u8((const uint8_t *)&text[i]));
    uint16_t type = automaton_value(whit_targets, node);
    r->body->content_type = type < TYPE_NONE ? (uint8_t)type : TYPE_NONE;
}

static void content_begin(struct reader *r)
{
    struct parts *p = parts_kept(r);
    if (whit_flash_u16(&r->post->types) == 0)
        r->body->content_type = 0;
    else if (!p->typed)
        type_default(r);
    if (r->body->content_type == TYPE_NONE) {
        if (WHIT_HAS_LOG)
            log_why(r->tcb, WHY_TYPE);
        refuse(r->tcb, HTTP_415);
    }
    p->phase = CONTENT;
    p->pt = (struct whit_pt){0, 0};
}

static void head_begin(struct parts *p)
{
    p->head_len = 0;
    p->typed = false;
    p->filename[0] = 0;
    p->phase = FIELD;
}

static void part_name_step(struct reader *r, uint8_t c)
{
    struct whit_tcb *tcb = r->tcb;
    if (c == ':')
        field_name_end(r);
    else if (!is_tchar(c))
        refuse(tcb, HTTP_400);
    else
        word_step(tcb, c);
}

// An octet between two contents.
static void head_step(struct reader *r, uint8_t c)
{
    struct parts *p = parts_kept(r);
    bool good = ++p->head_len <= PART_HEAD_MAX;
    switch (p->phase) {
    case DELIMITED:
        p->phase = c == '-' ? DASH : c == '\r' ? DELIMITED_LF : PADDING;
        good = good && (c == '-' || c == '\r' || c == ' ' || c == '\t');
        break;
    case DASH:
        p->phase = EPILOGUE;
        good = c == '-';
        break;
    case PADDING:
        if (c == '\r')
            p->phase = DELIMITED_LF;
        else
            good = good && (c == ' ' || c == '\t');
        break;
    case DELIMITED_LF:
        head_begin(p);
        good = c == '\n';
        break;
    case FIELD:
        p->phase = c == '\r' ? HEAD_LF : FIELD_NAME;
        word_begin(r->tcb);
        if (c == ':')
            good = false;    // no name
        else if (c != '\r')
            part_name_step(r, c);
        break;
    case FIELD_NAME:
        part_name_step(r, c);
        break;
    case FIELD_VALUE:
        part_value_step(r, c);
        break;
    case FIELD_LF:
        p->phase = FIELD;
        good = good && c == '\n';
        break;
    default:
        content_begin(r);
        good = good && c == '\n';
        break;
    }
    if (!good)
        refuse(r->tcb, HTTP_400);
}

// ------------------------------------------------------------------------------------------------ the handler

static char run_thread(struct reader *r)
{
    struct parts *p = parts_kept(r);
    struct whit_part part = {p->filename, r->body->content_type, p->number};
    char (*thread)(struct whit_pt *, struct whit_part *, struct state_t *) = whit_flash_ptr(&r->post->in_thread);
    return thread(&p->pt, &part, body_state(r->body));
}

static char run_plain(struct reader *r)
{
    struct parts *p = parts_kept(r);
    void *post_data;    // at its own address a pointer would not be aligned
    memcpy(&post_data, p->post_data, sizeof post_data);
    char (*take)(uint8_t, uint8_t, char *, void **) = whit_flash_ptr(&r->post->in);
    char said = take(r->body->content_type, p->number, p->filename[0] != 0 ? p->filename : NULL, &post_data);
    memcpy(p->post_data, &post_data, sizeof post_data);
    return said;
}

// Passes content to the handler. False: it waits; *slow: not for octets.
static bool content(struct reader *r, bool *slow)
{
    bool thread = WHIT_HAS_PART_THREADS && whit_flash_ptr(&r->post->in_thread) != NULL;
    if (thread ? part_peek(r) == PART_DRY : !part_whole(r)) {
        if (!thread && buffer_input_room() == 0 && !buffer_others(r->tcb) && r->body->transfer != TRANSFER_DONE) {
            if (WHIT_HAS_LOG)
                log_why_all(r->tcb, WHY_WHOLE_MAX, WHIT_NAME_NONE, r->body->ready, WHIT_BUFFER / 2);
            refuse(r->tcb, HTTP_413);    // it will never lie there as a whole
        }
        return false;
    }
    struct whit_out nowhere = {0};
    whit_out = &nowhere;
    client_asks(r->tcb);
    char said = thread ? run_thread(r) : run_plain(r);
    client_asks_no_more();
    whit_out = NULL;
    if (said == 0) {
        if (WHIT_HAS_LOG)
            log_why_name(r->tcb, WHY_RETURNED, WHIT_NAME_IN);
        refuse(r->tcb, HTTP_500);
    } else if (thread && said == PT_WAITS) {
        *slow = part_peek(r) != PART_DRY;
        return false;
    }
    parts_kept(r)->phase = SKIP;
    return true;
}

// Skips octets that no handler reads. False: there may be more.
static bool skip(struct reader *r)
{
    struct parts *p = parts_kept(r);
    int16_t c;
    do {
        c = part_take(r);
    } while (c >= 0);
    if (c == PART_DRY)
        return false;
    if (p->phase == SKIP && p->number != 0xff)
        p->number++;
    p->over = false;
    p->head_len = 0;
    p->phase = r->body->kind == BODY_RAW ? EPILOGUE : DELIMITED;
    return true;
}

bool parts_run(struct reader *r)
{
    struct parts *p = parts_kept(r);
    bool slow = false, more = true;
    while (more && r->tcb->request.step == STEP_BODY) {
        if (p->phase == CONTENT) {
            more = content(r, &slow);
        } else if (p->phase == SKIP || p->phase == PREAMBLE) {
            more = skip(r);
        } else if (p->phase == EPILOGUE) {
            r->at = r->body->ready;
            more = false;
        } else if (r->at == r->body->ready) {
            more = false;
        } else {
            head_step(r, r->octets[r->at++]);
        }
    }
    return slow;
}

// ------------------------------------------------------------------------------------------------ reading a part

// Reading a body's part by a handler.

int16_t in(void)
{
    int16_t c = body_reader != NULL ? part_take(body_reader) : PART_OVER;
    return c >= 0 ? c : -1;
}

bool whit_pt_in_ready(void)
{
    return body_reader != NULL && part_peek(body_reader) != PART_DRY;
}
