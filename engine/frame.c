// SPDX-License-Identifier: MIT
// Outgoing frames: a list of spans, the first of which is the headers in RAM. Content is never copied into it.
#include "inner.h"

void frame_init(struct frame *f)
{
    f->span_cnt = 1;
    f->payload_len = 0;
    f->back = 0;
    f->sum = 0;
    f->chunk_plan = 0;
}

void frame_add(struct frame *f, const uint8_t *octets, uint16_t len, uint16_t sum, uint8_t place)
{
    struct whit_span *span = &f->spans[f->span_cnt++];
    span->octets = octets;
    span->len = len;
    span->place = place;
    f->sum = checksum_add(f->sum, f->payload_len & 1 ? checksum_swap(sum) : sum);
    f->payload_len = (uint16_t)(f->payload_len + len);
}

bool frame_send(struct frame *f, uint32_t remote_addr, uint16_t l3_len, bool answer)
{
    bool sent = false;
    if (link_address(f, remote_addr, answer)) {
        f->spans[0].octets = f->head + f->link_offset;
        f->spans[0].len = (uint16_t)(FRAME_LINK_HEAD - f->link_offset + l3_len);
        f->spans[0].place = WHIT_IN_RAM;
        sent = whit_driver_transmit(f->spans, f->span_cnt);
    }
    count(sent ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    return sent;
}
