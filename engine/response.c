// SPDX-License-Identifier: MIT
// A response is a function of a position: a row of pieces, each of which is found again whenever it is wanted.
//   content       status line ["Connection: close"] the resource's head [length of what is generated] content
//   not modified  status line ["Connection: close"] the head's validators
//   error         status line ["Connection: close"] "Content-Length: 0"
#include "inner.h"
#include "packed.h"
#include "status.h"

#include <string.h>

static bool generated(const struct whit_tcb *tcb)
{
    return WHIT_HAS_GENERATORS && tcb->response.kind == KIND_CONTENT &&
           whit_flash_ptr(&whit_resources[tcb->response.resource].generator) != NULL;
}

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

static bool head_piece(const struct whit_tcb *tcb, uint8_t index, struct piece *p)
{
    uint8_t own = (uint8_t)(1 + tcb->close);    // pieces before the resource's
    p->sums = NULL;
    if (index >= own && tcb->response.kind != KIND_ERROR) {
        const struct whit_resource *r = &whit_resources[tcb->response.resource];
        return resource_piece(r, (uint8_t)(first_piece(tcb, r) + index - own), p);
    }
    const struct text *text = fixed_text(tcb, index);
    p->octets = whit_flash_ptr(&text->octets);
    p->len = whit_flash_u8(&text->len);
    p->sum = whit_flash_u16(&text->sum);
    return index <= own;
}

// "Content-Length: 123", CR LF CR LF, at the end of `digits`; returns its length.
static uint8_t write_length(uint8_t digits[LENGTH_MAX], uint32_t number)
{
    static const uint8_t name[16] WHIT_FLASH = "Content-Length: ";
    uint8_t at = LENGTH_MAX - 4;
    digits[at] = digits[at + 2] = '\r';
    digits[at + 1] = digits[at + 3] = '\n';
    do {
        digits[--at] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    at = (uint8_t)(at - sizeof name);
    whit_flash_copy(digits + at, name, sizeof name);
    return (uint8_t)(LENGTH_MAX - at);
}

static void content_piece(const struct whit_tcb *tcb, struct piece *p)
{
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    p->octets = whit_flash_ptr(&r->body);
    p->sums = whit_flash_ptr(&r->sums);
    p->len = whit_flash_u32(&r->body_len);
}

static bool has_content(const struct whit_tcb *tcb)
{
    return tcb->response.kind == KIND_CONTENT && !tcb->response.head_only;
}

struct extent response_extent(const struct whit_tcb *tcb)
{
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    struct extent e = {whit_flash_u8(&status_lines[status_of(tcb)].len), 0};
    if (tcb->close)
        e.len += whit_flash_u8(&text_close.len);
    if (tcb->response.kind == KIND_ERROR) {
        e.len += whit_flash_u8(&text_empty.len);
        return e;
    }
    for (uint8_t i = first_piece(tcb, r); i < WHIT_HEAD_PIECES; i++)
        e.len += whit_flash_u8(&r->piece_len[i]);
    e.content = e.len;
    uint32_t content_len = whit_flash_u32(&r->body_len);
    if (generated(tcb)) {
        uint8_t digits[LENGTH_MAX];
        content_len = content_generated_len(tcb);
        e.len += write_length(digits, content_len);
    }
    if (has_content(tcb))
        e.len += content_len;
    return e;
}

// The digits of the length, and what the generator writes behind them.
static bool gather_generated(struct frame *f, const struct whit_tcb *tcb, uint32_t position)
{
    uint8_t len = write_length(f->digits, content_generated_len(tcb));
    if (position < len) {
        uint16_t rest = (uint16_t)(len - position), room = (uint16_t)(f->room - f->payload_len);
        const uint8_t *digits = f->digits + LENGTH_MAX - rest;
        rest = rest < room ? rest : room;
        frame_add(f, digits, rest, checksum_octets(0, digits, rest, false), false);
        position += rest;
    }
    if (position < len || f->payload_len == f->room || !has_content(tcb))
        return true;
    return content_generated(f, tcb, position - len);
}

bool response_gather(struct frame *f, const struct whit_tcb *tcb, uint32_t position, const struct extent *extent)
{
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
            return true;
        position = 0;
    }
    if (generated(tcb))
        return gather_generated(f, tcb, position);
    if (has_content(tcb)) {
        content_piece(tcb, &p);
        if (p.len != 0)
            content_static(f, &p, position);
    }
    return true;
}

void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only)
{
    tcb->state = TCB_RESPONSE;
    tcb->position = 0;
    memset(&tcb->response, 0, sizeof tcb->response);
    tcb->response.wnd = packed((uint16_t)(tcb->mss4 * 4), WND_BITS) & 0xfff;    // until a segment tells
    tcb->response.resource = resource & 0xfff;
    tcb->response.kind = kind;
    tcb->response.head_only = head_only;
    congestion_init(tcb);
    count(kind == KIND_ERROR ? WHIT_COUNT_REFUSED : WHIT_COUNT_REQUESTS);
    table_ready(tcb);
}
