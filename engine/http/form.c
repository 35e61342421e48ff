// SPDX-License-Identifier: MIT
// A form as a body (application/x-www-form-urlencoded): typed arguments as in a query, read by the same machine.
#include "internal.h"
#include "../core/called.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/port.h"

void form_begin(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    struct body *b = r->body;
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || b->kind == BODY_SOAP)) {
        soap_begin(r);
        return;
    }
    tcb->request.escape = 0;
    arguments_unseen(tcb);
    if (WHIT_HAS_JSON && b->kind == BODY_JSON)
        b->json_high = 0;
    if (WHIT_HAS_FORM_PARTS && b->kind == BODY_FORM_PARTS)
        form_parts_begin(b);
    tcb->request.step = STEP_QUERY_SKIP;
    if (WHIT_HAS_RECORDS)
        records_begin(tcb);
    arguments_read(tcb);
    b->step = tcb->request.step;
    tcb->request.step = STEP_BODY;
}

// True if a service's form begins with a brace: it is JSON with the default type of the client. (In a form of a
// browser, a brace is percent-encoded.)
static bool takes_json(const struct reader *r)
{
    const struct whit_tcb *tcb = r->tcb;
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[tcb->request.resource].generator);
    bool begins = tcb->request.step == STEP_QUERY_SKIP || tcb->request.node == whit_flash_u16(&generator->names);
    r->body->json_high = 0;
    return service_of(generator) != NULL && whit_flash_u16(&r->post->types) != 0 && begins && tcb->request.escape == 0;
}

OWN_FRAME void form_run(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || r->body->kind == BODY_SOAP)) {
        soap_run(r);
        return;
    }
    tcb->request.step = r->body->step;
    while (r->at != r->body->ready && tcb->request.step < STEP_DONE) {
        uint8_t c = r->octets[r->at++];
        if (WHIT_HAS_FORM_CALLS && WHIT_HAS_JSON && c == '{' && r->body->kind == BODY_FORM && takes_json(r))
            r->body->kind = BODY_JSON;
        if (WHIT_HAS_JSON && r->body->kind == BODY_JSON)
            json_octet(tcb, r->body, c);
        else if (WHIT_HAS_FORM_PARTS && r->body->kind == BODY_FORM_PARTS)
            form_parts_octet(tcb, r->body, c);
        else if (c <= ' ' || c >= 0x7f || c == '#')
            refuse(tcb, HTTP_400);    // as in a request target
        else
            query_octet(tcb, c);
    }
    r->body->step = tcb->request.step;
    if (tcb->request.step < STEP_DONE)
        tcb->request.step = STEP_BODY;
}

bool form_end(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || r->body->kind == BODY_SOAP))
        return soap_end(r);
    tcb->request.step = r->body->step;
    if (WHIT_HAS_JSON && r->body->kind == BODY_JSON) {
        if (!json_ended(tcb))
            return true;
    } else if (WHIT_HAS_FORM_PARTS && r->body->kind == BODY_FORM_PARTS) {
        form_parts_end(tcb, r->body);
    } else if (tcb->request.escape != 0) {
        refuse(tcb, HTTP_400);    // it ends within a percent-encoding
        return true;
    }
    if (tcb->request.step < STEP_QUERY_SKIP)
        arguments_end(tcb);
    return true;
}

// ----------------------------------------------------------------------------------- multipart/form-data without files

// A form as multipart/form-data without files (RFC 7578): each part is an argument. No octet is buffered. Octets that
// may be a delimiter are written to the text, and cut off if they are one. Only a hash of the boundary is stored. The
// first delimiter is compared with 16 bits of it, because the segment with the head's line may have a wrong checksum.
// All others are compared with 32 bits.

#if WHIT_HAS_FORM_PARTS
enum {
    AT_CONTENT,      // content of a part, or the preamble
    AT_DELIMITED,    // after a delimiter
    AT_DASH,         // '-' was read there
    AT_PADDING,
    AT_LINE_END,    // the line feed of a delimiter, or of a field line
    AT_FIELD,       // first octet of a field line
    AT_FIELD_NAME,
    AT_FIELD_VALUE,    // value of an ignored field
    AT_DISPOSITION,
    AT_HEAD_END,    // the line feed of the empty line
    AT_EPILOGUE,    // after the last delimiter
};

void form_parts_begin(struct body *b)
{
    form_parts_of(b)->matched = 2;    // the first delimiter may begin the body
}

void form_parts_end(struct whit_tcb *t, struct body *b)
{
    if (form_parts_of(b)->phase != AT_EPILOGUE)
        refuse(t, HTTP_400);
}

// ------------------------------------------------------------------------------------------------ content

// An octet that may be a delimiter's. A text holds it until that is known; no other type has a value with CR.
static void content_maybe(struct whit_tcb *t, struct form_parts *p, uint8_t c)
{
    if (!text_takes(t, c))
        p->lost = true;
}

// All octets since the last CR are content.
static void content_proved(struct whit_tcb *t, struct form_parts *p)
{
    p->matched = 0;
    if (p->lost && argument_type(t) != ARGUMENT_UNKNOWN)
        refuse_value(t);
    p->lost = false;
}

static void content_end(struct whit_tcb *t, struct form_parts *p)
{
    p->boundary = p->hash;
    p->known = true;
    p->matched = 0;
    p->lost = false;
    p->phase = AT_DELIMITED;
    if (t->request.step == STEP_QUERY_VALUE)
        text_end(t, p->kept);
}

static void delimiter_octet(struct whit_tcb *t, struct body *b, uint8_t c)
{
    static const char begin[] WHIT_FLASH = "\n--";
    struct form_parts *p = form_parts_of(b);
    uint8_t at = p->matched++;
    content_maybe(t, p, c);
    if (at < sizeof begin) {
        p->hash = 0;
        if (whit_flash_u8(&begin[at - 1]) != c)
            content_proved(t, p);
        return;
    }
    p->hash = BOUNDARY_HASH(p->hash, c);
    if (p->matched != 4 + b->boundary_len)
        return;
    if (p->known ? p->hash == p->boundary : (uint16_t)p->hash == p->boundary)
        content_end(t, p);
    else
        content_proved(t, p);
}

static void part_octet(struct whit_tcb *t, struct body *b, uint8_t c)
{
    struct form_parts *p = form_parts_of(b);
    if (c == 0) {
        refuse(t, HTTP_400);    // as "%00"
    } else if (c == '\r') {
        content_proved(t, p);
        p->kept = (uint16_t)t->value;
        p->matched = 1;
        content_maybe(t, p, c);
    } else if (p->matched != 0) {
        delimiter_octet(t, b, c);
    } else if (t->request.step == STEP_QUERY_VALUE) {
        argument_octet(t, c, true);
    }
}

// ------------------------------------------------------------------------------------------------ field lines

static struct media disposition_of(const struct whit_tcb *t)
{
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[t->request.resource].generator);
    return (struct media){NULL, UINT8_MAX, WHIT_MEDIA_NAME, true, true, whit_flash_u16(&generator->names), NULL};
}

static void part_name_octet(struct whit_tcb *t, struct form_parts *p, uint8_t c)
{
    if (is_tchar(c)) {
        word_step(t, c);
        return;
    }
    p->phase = automaton_value(whit_words, t->request.node) == WHIT_MEDIA_DISPOSITION ? AT_DISPOSITION : AT_FIELD_VALUE;
    media_begin(t, 0);
    if (c != ':' || (p->phase == AT_DISPOSITION && p->name != 0))
        refuse(t, HTTP_400);
}

static void part_field_octet(struct whit_tcb *t, struct form_parts *p, uint8_t c)
{
    if (p->phase == AT_FIELD_NAME) {
        part_name_octet(t, p, c);
    } else if (c == '\r') {
        if (p->phase == AT_DISPOSITION) {
            struct media m = disposition_of(t);
            p->name = media_end(t, &m) != 0 ? MEDIA_VALUE(t) : 0;
        }
        p->phase = AT_LINE_END;
    } else if (!in_class(CLASS_VALUE, c)) {
        refuse(t, HTTP_400);
    } else if (p->phase == AT_DISPOSITION) {
        struct media m = disposition_of(t);
        media_step(t, &m, c);
    }
}

// The empty line was read.
static void head_end(struct whit_tcb *t, struct form_parts *p)
{
    p->phase = AT_CONTENT;
    if (p->name == 0) {
        refuse(t, HTTP_400);    // no name
    } else if (t->request.step != STEP_QUERY_SKIP) {
        argument_named(t, p->name);
    }
}

static void between_octet(struct whit_tcb *t, struct form_parts *p, uint8_t c)
{
    bool right = true;
    switch (p->phase) {
    case AT_DELIMITED:
    case AT_PADDING:
        p->name = 0;
        right = c == '\r' || c == ' ' || c == '\t' || (c == '-' && p->phase == AT_DELIMITED);
        p->phase = c == '-' ? AT_DASH : c == '\r' ? AT_LINE_END : AT_PADDING;
        break;
    case AT_DASH:
        right = c == '-';
        p->phase = AT_EPILOGUE;
        break;
    case AT_LINE_END:
        right = c == '\n';
        p->phase = AT_FIELD;
        break;
    default:
        right = c == '\n';
        head_end(t, p);
        break;
    }
    if (!right)
        refuse(t, HTTP_400);
}

void form_parts_octet(struct whit_tcb *t, struct body *b, uint8_t c)
{
    struct form_parts *p = form_parts_of(b);
    if (p->phase == AT_CONTENT) {
        part_octet(t, b, c);
    } else if (p->phase == AT_FIELD && c == '\r') {
        p->phase = AT_HEAD_END;
    } else if (p->phase == AT_FIELD) {
        word_begin(t);
        p->phase = AT_FIELD_NAME;
        if (c == ':')
            refuse(t, HTTP_400);
        else
            part_name_octet(t, p, c);
    } else if (p->phase >= AT_FIELD_NAME && p->phase <= AT_DISPOSITION) {
        part_field_octet(t, p, c);
    } else if (p->phase != AT_EPILOGUE) {
        between_octet(t, p, c);
    }
}
#endif
