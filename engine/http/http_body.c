// SPDX-License-Identifier: MIT
// What the head of a request says of its body: whether it is taken, of which kind and how long it is.
#include <string.h>

#include "media.h"
#include "parser.h"
#include "../base/automaton.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/room.h"
#include "../base/state.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "../content/log.h"
#include "whit/app.h"
#include "whit/port.h"

_Static_assert(sizeof(struct body) + FORM_PARTS_LEN + 4 <= WHIT_FORM_KEPT && sizeof(struct body) + PARTS_LEN + 4 <= WHIT_PARTS_KEPT, "room.h");

// Of another connection: what it keeps will be given back.
static bool others_keep(void)
{
    const struct whit_tcb *slot = whit.rx.slot != NULL ? whit.rx.slot : whit_slots + WHIT_CONNECTIONS;
    return buffer_others(slot);
}

#define PROOFS_ROOM (INPUT_LEN / 2 / WHIT_SOAP_KEPT)
#define PROOFS_SLOTS (WHIT_CONNECTIONS / 2)
#define PROOFS_LESS (PROOFS_ROOM < PROOFS_SLOTS ? PROOFS_ROOM : PROOFS_SLOTS)
#define PROOFS_MAX (PROOFS_LESS != 0 ? PROOFS_LESS : 1)

// Of one host, half of the messages that find a slot and room may wait for their signatures to be verified: one more finds no room.
static bool proofs_crowd(uint32_t addr)
{
    uint16_t cnt = 0;
    for (const struct whit_tcb *one = whit_slots; one != whit_slots + WHIT_CONNECTIONS && cnt < PROOFS_MAX; one++)
        if (one->remote_addr == addr && body_proves(one))
            cnt++;
    return cnt == PROOFS_MAX;
}

// A request that leaves no room for the body's octets waits until others have given theirs back; else all could wait for ever.
void body_claim(struct whit_tcb *t)
{
    if (body_post(t) == NULL)
        return;
    uint16_t len = body_block_len(t);
    uint16_t room = body_takes_parts(body_post(t)) ? INPUT_SHARE : FORM_ROOM;
    bool crowded = HAS_PROOFS && body_is_endpoint(t) && proofs_crowd(t->remote_addr);
    if (crowded || !buffer_reserve_block(len) || (buffer_input_room() < room && others_keep())) {
        t->request.step = STEP_STARVED;
        return;
    }
    reservation_has_body();
    memset(buffer_reserved(), 0, len);
    body_of(t)->edge = t->rcv_nxt + WHIT_RCV_WND;
}

void body_length(struct whit_tcb *t)
{
    body_of(t)->left = t->value;
}

// ------------------------------------------------------------------------------------------------ Content-Type

static struct media media_of(const struct whit_tcb *t)
{
    struct body *b = body_of(t);
    struct media m = {NULL, BOUNDARY_MAX, WHIT_MEDIA_BOUNDARY, false, false, 0, b};
    if (body_takes_parts(body_post(t)))
        m.text = ((struct parts *)(void *)(b + 1))->delimiter + 4;
    else
        m.folds = WHIT_HAS_FORM_PARTS;
    return m;
}

void body_type_begin(struct whit_tcb *t)
{
    const struct whit_post *post = body_post(t);
    if (post == NULL)
        return;
    t->request.step = STEP_TYPE;
    if ((t->request.flags & FLAG_TYPE) != 0)
        refuse(t, HTTP_400);
    t->request.flags |= FLAG_TYPE;
    media_begin(t, whit_flash_u16(&post->types));
}

void body_type_step(struct whit_tcb *t, uint8_t c)
{
    struct media m = media_of(t);
    if (c == '\r') {
        m.body->boundary_len = media_end(t, &m);
        if (WHIT_HAS_FORM_PARTS && m.folds)
            form_parts_of(m.body)->boundary = MEDIA_VALUE(t);
        t->request.node = WHIT_WORDS_LINES;
        if (t->request.step == STEP_TYPE) {
            t->request.step = STEP_READ;
            t->request.otherwise = 0;    // OP_ELSE of the field's name is over
        }
    } else if (!in_class(CLASS_VALUE, c)) {
        refuse(t, HTTP_400);
    } else {
        media_step(t, &m, c);
    }
}

// ------------------------------------------------------------------------------------------------ the head's end

// A service may be called by JSON alone: no page of another site can send that without asking.
static bool takes_forms(const struct whit_tcb *t)
{
    const struct whit_service *service = service_of(whit_flash_ptr(&whit_resources[t->request.resource].generator));
    return service == NULL || (whit_flash_u8(&service->ways) & WHIT_BY_FORM) != 0;
}

// Of an endpoint of SOAP. A message without a type and without octets is wrong in itself.
static uint8_t judge_soap(struct body *b, bool typed)
{
    b->kind = typed ? b->kind == BODY_RAW && b->content_type != TYPE_NONE ? BODY_SOAP : BODY_RAW : b->kind == BODY_FORM ? BODY_SOAP : BODY_RAW;
    if (!typed)
        b->content_type = 0;
    if (WHIT_HAS_CHARSETS && !typed)
        b->charset = 0;
    if (WHIT_HAS_CHARSETS && b->kind == BODY_SOAP && b->charset == WHIT_MEDIA_CHARSET) {
        if (WHIT_HAS_LOG)
            log_why(&whit.rx.pending, WHY_CHARSET);
        return HTTP_415;
    }
    return b->kind == BODY_SOAP ? HTTP_200 : HTTP_415;
}

// Whether the resource takes a body of this type: HTTP_200, or the refusal.
static uint8_t judge_type(const struct whit_tcb *t, const struct whit_post *post, struct body *b, uint16_t flags)
{
    bool typed = (flags & FLAG_TYPE) != 0;
    if (!typed) {
        b->kind = !body_takes_parts(post) && (flags & FLAG_BODY) == 0 ? BODY_FORM : BODY_RAW;
        b->content_type = TYPE_NONE;
    }
    if (WHIT_HAS_SOAP && body_is_endpoint(t))
        return judge_soap(b, typed);
    if (WHIT_HAS_SOAP_ALONE)
        return HTTP_415;
    if (WHIT_HAS_JSON && typed && !body_takes_parts(post) && b->kind == BODY_RAW && b->content_type != TYPE_NONE)
        b->kind = BODY_JSON;    // the one type that a doPost may declare
    if (WHIT_HAS_SERVICES && b->kind == BODY_FORM && !takes_forms(t))    // without a type and a body it is a form too
        b->kind = BODY_RAW;
    if (WHIT_HAS_FORM_PARTS && typed && !body_takes_parts(post) && b->kind == BODY_MULTIPART && takes_forms(t)) {
        b->kind = BODY_FORM_PARTS;
        return b->boundary_len != 0 ? HTTP_200 : HTTP_400;
    }
    if (!body_takes_parts(post))
        return is_form(b) ? HTTP_200 : HTTP_415;
    if (typed && b->kind == BODY_MULTIPART)
        return b->boundary_len != 0 ? HTTP_200 : HTTP_400;
    b->kind = BODY_RAW;
    if (whit_flash_u16(&post->types) == 0)
        b->content_type = 0;
    return b->content_type != TYPE_NONE ? HTTP_200 : HTTP_415;
}

// The same for its length. What a handler that is no thread reads must lie in the buffer's input as a whole.
static uint8_t judge_length(const struct whit_post *post, struct body *b, uint16_t flags)
{
    uint32_t max = whit_flash_u32(&post->body_max);
    b->room = max;
    if ((flags & FLAG_LENGTH) == 0)
        b->left = 0;
    if (b->left > max)
        return HTTP_413;
    bool whole = WHIT_HAS_PARTS && b->kind == BODY_RAW && whit_flash_ptr(&post->in) != NULL;
    if (WHIT_HAS_LOG && whole && b->left > WHIT_BUFFER / 2)
        log_why_all(&whit.rx.pending, WHY_WHOLE_MAX, WHIT_NAME_NONE, b->left, WHIT_BUFFER / 2);
    return whole && b->left > WHIT_BUFFER / 2 ? HTTP_413 : HTTP_200;
}

void body_fields_end(struct whit_tcb *t)
{
    uint16_t flags = t->request.flags;
    const struct whit_post *post = body_post(t);
    struct body *b = body_of(t);
    t->request.step = STEP_DONE;
    if ((flags & (FLAG_MATCH | FLAG_MATCHED)) == FLAG_MATCH)
        return;    // what comes is not read
    uint8_t status = judge_type(t, post, b, flags);
    if (status == HTTP_200)
        status = judge_length(post, b, flags);
    if (WHIT_HAS_LOG && status != HTTP_200)
        log_why_number(t, status == HTTP_415 ? WHY_TYPE : status == HTTP_413 ? WHY_BODY_MAX : WHY_BOUNDARY, WHIT_BODY_MAX);
    if (status != HTTP_200)
        refuse(t, status);
    else
        t->request.step = STEP_BODY;
}
