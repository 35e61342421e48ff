// SPDX-License-Identifier: MIT
// A response is a function of a position: a row of pieces, each of which is found again whenever it is wanted.
//   content       "HTTP/1.1 " "200 OK" ["Connection: close"] the resource's head, content
//   not modified  "HTTP/1.1 " "304 Not Modified" ["Connection: close"] the head's validators
//   error         "HTTP/1.1 " "404 Not Found" ["Connection: close"] ["Allow"] head with length, text of the status
#include "inner.h"
#include "packed.h"
#include "status.h"

static struct piece fixed(const struct text *text)
{
    return (struct piece){whit_flash_ptr(&text->octets), NULL, whit_flash_u8(&text->len), whit_flash_u16(&text->sum), true};
}

static uint8_t status_of(const struct whit_tcb *tcb)
{
    if (tcb->response.kind == KIND_ERROR)
        return (uint8_t)tcb->response.resource;
    return tcb->response.kind == KIND_NOT_MODIFIED ? HTTP_304 : HTTP_200;
}

// "123", CR LF CR LF; returns its length.
static uint8_t write_length(uint8_t digits[14], uint32_t number)
{
    uint8_t reversed[10], cnt = 0, len = 0;
    do {
        reversed[cnt++] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        digits[len++] = reversed[--cnt];
    digits[len++] = '\r';
    digits[len++] = '\n';
    digits[len++] = '\r';
    digits[len++] = '\n';
    return len;
}

static struct piece length_piece(uint8_t digits[14], uint32_t number)
{
    uint8_t len = write_length(digits, number);
    return (struct piece){digits, NULL, len, checksum_octets(0, digits, len, false), false};
}

static bool error_piece(const struct whit_tcb *tcb, uint8_t index, uint8_t digits[14], struct piece *out)
{
    const struct text *status = &status_texts[tcb->response.resource];
    if (tcb->response.resource != HTTP_405)
        index++;
    switch (index) {
    case 0: *out = fixed(&text_allow); return true;
    case 1: *out = fixed(&text_error_head); return true;
    case 2: *out = length_piece(digits, whit_flash_u8(&status->len)); return true;
    case 3: *out = fixed(status); return !tcb->response.head_only;
    default: return false;
    }
}

static bool resource_piece(const struct whit_tcb *tcb, uint8_t index, uint8_t digits[14], struct piece *out)
{
    const struct whit_resource *r = &whit_resources[tcb->response.resource];
    uint8_t first = tcb->response.kind == KIND_NOT_MODIFIED ? whit_flash_u8(&r->validators) : 0;
    uint16_t offset = 0;
    for (uint8_t i = 0; i < WHIT_HEAD_PIECES; i++) {
        uint8_t len = whit_flash_u8(&r->piece_len[i]);
        if (i >= first && len != 0 && index-- == 0) {
            *out = (struct piece){(const uint8_t *)whit_flash_ptr(&r->head) + offset, NULL, len, whit_flash_u16(&r->piece_sum[i]), true};
            return true;
        }
        offset = (uint16_t)(offset + len);
    }
    bool generated = WHIT_HAS_GENERATORS && whit_flash_ptr(&r->generator) != NULL;
    if (generated && index-- == 0) {
        *out = length_piece(digits, content_generated_len(tcb));
        return true;
    }
    if (tcb->response.head_only || tcb->response.kind != KIND_CONTENT || index != 0)
        return false;
    if (generated)
        *out = (struct piece){NULL, NULL, content_generated_len(tcb), 0, false};
    else
        *out = (struct piece){whit_flash_ptr(&r->body), whit_flash_ptr(&r->sums), whit_flash_u32(&r->body_len), 0, true};
    return true;
}

bool response_piece(const struct whit_tcb *tcb, uint8_t index, uint8_t digits[14], struct piece *out)
{
    if (index == 0) {
        *out = fixed(&text_version);
        return true;
    }
    if (index == 1) {
        *out = fixed(&status_texts[status_of(tcb)]);
        return true;
    }
    index = (uint8_t)(index - 2);
    if (tcb->close) {
        if (index == 0) {
            *out = fixed(&text_close);
            return true;
        }
        index--;
    }
    if (tcb->response.kind == KIND_ERROR)
        return error_piece(tcb, index, digits, out);
    return resource_piece(tcb, index, digits, out);
}

uint32_t response_len(const struct whit_tcb *tcb)
{
    uint8_t digits[14];
    struct piece p;
    uint32_t len = 0;
    for (uint8_t i = 0; response_piece(tcb, i, digits, &p); i++)
        len += p.len;
    return len;
}

void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only)
{
    tcb->state = TCB_RESPONSE;
    tcb->position = 0;
    tcb->response.flight = 0;
    tcb->response.mark = 0;
    tcb->response.wnd = packed((uint16_t)(tcb->mss4 * 4), WND_BITS) & 0xfff;    // until a segment tells
    tcb->response.retries = 0;
    tcb->response.resource = resource & 0xfff;
    tcb->response.kind = kind;
    tcb->response.head_only = head_only;
    tcb->response.probed = 0;
    tcb->response.dupacks = 0;
    tcb->response.mode = MODE_PLAIN;
    tcb->response.stamp = 0;
    congestion_init(tcb);
    count(kind == KIND_ERROR ? WHIT_COUNT_REFUSED : WHIT_COUNT_REQUESTS);
    table_ready(tcb);
}
