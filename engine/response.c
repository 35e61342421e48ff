// SPDX-License-Identifier: MIT
// A response is a function of a position: a row of pieces, each of which is found again whenever it is wanted.
//   content       status line ["Connection: close"] the resource's head content
//   generated     ... ["Transfer-Encoding: chunked" or the empty line] octets with what frames them (framing.c)
//   stored        status line ["Connection: close"] the resource's head, entity tag and length of the version, content
//   not modified  status line ["Connection: close"] the head's validators
//   error         status line ["Connection: close"] "Content-Length: 0"
#include "inner.h"
#include "status.h"

#include <string.h>

static uint8_t status_of(const struct whit_tcb *tcb)
{
    if (tcb->response.kind == KIND_ERROR)
        return (uint8_t)tcb->response.resource;
    return tcb->response.kind == KIND_NOT_MODIFIED ? HTTP_304 : HTTP_200;
}

static const struct text *fixed_text(const struct whit_tcb *tcb, uint8_t index)
{
    if (index == 0)
        return &status_lines[status_of(tcb)];
    return tcb->close && index == 1 ? &text_close : &text_empty;
}

// Piece `index` of the resource's head.
static bool resource_piece(const struct whit_resource *r, uint8_t index, struct piece *p)
{
    if (index >= WHIT_HEAD_PIECES)
        return false;
    p->octets = whit_flash_ptr(&r->head);
    for (uint8_t i = 0; i < index; i++)
        p->octets += whit_flash_u8(&r->piece_len[i]);
    p->len = whit_flash_u8(&r->piece_len[index]);
    p->sum = whit_flash_u16(&r->piece_sum[index]);
    return p->len != 0;
}

static uint8_t first_piece(const struct whit_tcb *tcb, const struct whit_resource *r)
{
    return tcb->response.kind == KIND_NOT_MODIFIED ? whit_flash_u8(&r->validators) : 0;
}

// What stands between a generated response's head and its octets.
static const struct text *framing_text(const struct whit_tcb *tcb)
{
    switch (content_way(tcb) <= WAY_STORED ? FRAMING_LENGTH : content_framing(tcb)) {
    case FRAMING_CHUNKED: return &text_chunked;
    case FRAMING_CLOSE: return &text_blank;
    default: return NULL;
    }
}

static void text_piece(const struct text *text, struct piece *p)
{
    p->octets = whit_flash_ptr(&text->octets);
    p->len = whit_flash_u8(&text->len);
    p->sum = whit_flash_u16(&text->sum);
}

// Piece `index` of the head, perhaps an empty one. False: there are no more.
static bool head_piece(const struct whit_tcb *tcb, uint8_t index, struct piece *p)
{
    uint8_t own = (uint8_t)(1 + tcb->close);    // pieces before the resource's
    p->sums = NULL;
    p->len = 0;
    if (WHIT_HAS_STORED)
        p->stored_sums = 0;
    if (index < own || tcb->response.kind == KIND_ERROR) {
        text_piece(fixed_text(tcb, index), p);
        return index <= own - (WHIT_HAS_BODY && status_of(tcb) == HTTP_100);
    }
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    uint8_t of_resource = (uint8_t)(first_piece(tcb, r) + index - own);
    if (of_resource == WHIT_HEAD_PIECES && (WHIT_HAS_THREADS || WHIT_HAS_RERUN)) {
        const struct text *text = framing_text(tcb);
        if (text != NULL)
            text_piece(text, p);
        return true;
    }
    resource_piece(r, of_resource, p);
    return of_resource < WHIT_HEAD_PIECES;
}

static void content_piece(const struct whit_tcb *tcb, struct piece *p)
{
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    p->octets = whit_flash_ptr(&r->body);
    p->sums = whit_flash_ptr(&r->sums);
    p->len = whit_flash_u32(&r->body_len);
    if (WHIT_HAS_STORED)
        p->stored_sums = 0;
}

static bool has_content(const struct whit_tcb *tcb)
{
    return tcb->response.kind == KIND_CONTENT && !tcb->response.head_only;
}

static void extend(const struct whit_tcb *tcb, struct extent *e)
{
    switch (content_way(tcb)) {
    case WAY_STATIC:
        if (has_content(tcb))
            e->len += whit_flash_u32(&whit_resources[tcb->response.resource].body_len);
        break;
    case WAY_STORED:
        if (WHIT_HAS_STORED)
            e->len += content_stored_len(tcb, has_content(tcb));
        break;
    case WAY_KEPT:
        e->len += kept_len(tcb, &e->ended);
        e->batch = kept_batch(tcb);
        e->even = e->batch != KEPT_PLAIN;
        e->apart = !e->even && tcb->position == 0 && e->len <= tcb->mss4 * UINT32_C(4);
        if (e->batch != 0)
            e->batch += e->content;
        break;
    case WAY_REPLAY:
        if (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE)
            e->len += replay_len(tcb, &e->more);
        break;
    case WAY_RERUN:
        if (WHIT_HAS_RERUN)
            e->len += rerun_len(tcb, &e->ended, &e->more);
        break;
    default:
        break;
    }
}

// Octets of all pieces of the head.
static uint16_t head_len(const struct whit_tcb *tcb)
{
    uint8_t status = status_of(tcb);
    uint16_t len = whit_flash_u8(&status_lines[status].len);
    if (tcb->close)
        len = (uint16_t)(len + whit_flash_u8(&text_close.len));
    if (tcb->response.kind == KIND_ERROR)
        return (uint16_t)(len + (WHIT_HAS_BODY && status == HTTP_100 ? 0 : whit_flash_u8(&text_empty.len)));
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    for (uint8_t i = first_piece(tcb, r); i < WHIT_HEAD_PIECES; i++)
        len = (uint16_t)(len + whit_flash_u8(&r->piece_len[i]));
    const struct text *text = WHIT_HAS_THREADS || WHIT_HAS_RERUN ? framing_text(tcb) : NULL;
    return (uint16_t)(len + (text != NULL ? whit_flash_u8(&text->len) : 0));
}

// Longer than any response: of what is gone there is always something left to send, which then ends it.
#define LEN_GONE UINT32_C(0xffffff)

struct extent response_extent(const struct whit_tcb *tcb)
{
    struct extent e = {0, 0, true, false, false, false, 0};
    if (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE) {
        e.len = LEN_GONE;
        return e;
    }
    e.len = head_len(tcb);
    if (tcb->response.kind == KIND_ERROR)
        return e;
    e.content = e.len;
    extend(tcb, &e);
    return e;
}

static enum gathered gather_content(struct frame *f, const struct whit_tcb *tcb, uint32_t position)
{
    struct piece p;
    switch (content_way(tcb)) {
    case WAY_STATIC:
        content_piece(tcb, &p);
        if (has_content(tcb) && p.len != 0)
            content_static(f, &p, position);
        return GATHERED;
    case WAY_STORED:
        if (WHIT_HAS_STORED)
            content_stored(f, tcb, position, has_content(tcb));
        return GATHERED;
    case WAY_KEPT:
        kept_gather(f, tcb, position);
        return GATHERED;
    case WAY_REPLAY: return WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE ? replay_gather(f, tcb, position) : GATHERED;
    case WAY_RERUN: return WHIT_HAS_RERUN ? rerun_gather(f, tcb, position) : GATHERED;
    default: return GATHERED;
    }
}

enum gathered response_gather(struct frame *f, const struct whit_tcb *tcb, uint32_t position, const struct extent *extent)
{
    if (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE)
        return GATHER_CHANGED;
    struct piece p;
    bool head = extent->content == 0 || position < extent->content;
    if (!head)
        position -= extent->content;
    for (uint8_t i = 0; head && head_piece(tcb, i, &p); i++) {
        if (position >= p.len) {
            position -= p.len;
            continue;
        }
        if (!content_static(f, &p, position))
            return GATHERED;
        position = 0;
    }
    return extent->content != 0 ? gather_content(f, tcb, position) : GATHERED;
}

// The position in a stream of kept octets stands still at the oldest one that is kept, in one of chunks at the oldest
// one whose end is not acknowledged.
void response_advance(struct whit_tcb *tcb, uint16_t acked)
{
    enum way way = content_way(tcb);
    uint32_t position = tcb->position + UINT32_C(1) * acked;
    if ((WHIT_HAS_PERSISTENT_THREADS && way == WAY_KEPT) || (WHIT_HAS_RERUN && way == WAY_RERUN)) {
        struct extent e = response_extent(tcb);
        uint32_t in_content = position > e.content ? position - e.content : 0;
        if (way == WAY_RERUN) {
            position -= rerun_acked(tcb, in_content);
        } else {
            position -= kept_acked(tcb, in_content);
        }
    }
    tcb->position = position & 0xffffff;
}

void response_forget(const struct whit_tcb *tcb)
{
    METER_RESPONSE(tcb);
    buffer_free(tcb, BLOCK_ARGUMENTS);
    buffer_free(tcb, BLOCK_OUTPUT);
    buffer_free(tcb, BLOCK_RUN);
    buffer_free(tcb, BLOCK_BODY);
}

bool response_waits(const struct whit_tcb *tcb)
{
    if (!WHIT_HAS_THREADS || tcb->response.flight != 0 || tcb->response.wnd == 0 || tcb->position == 0)
        return false;
    struct extent e = response_extent(tcb);
    return !e.ended && tcb->position == e.len;
}

void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only)
{
    tcb->state = TCB_RESPONSE;
    tcb->position = 0;
    memset(&tcb->response, 0, sizeof tcb->response);
    tcb->response.wnd = window_code((uint16_t)(tcb->mss4 * 4));    // until a segment tells
    tcb->response.resource = resource & 0xfff;
    tcb->response.kind = kind;
    tcb->response.head_only = head_only;
    recovery_begin(tcb);
    if (!WHIT_HAS_BODY || kind != KIND_ERROR || resource != HTTP_100)
        count(kind == KIND_ERROR ? WHIT_COUNT_REFUSED : WHIT_COUNT_REQUESTS);
    table_ready(tcb);
}
