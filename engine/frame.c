// SPDX-License-Identifier: MIT
// Outgoing frames: a list of spans. Content is never copied into it.
#include "inner.h"

void frame_init(struct frame *f)
{
    f->span_cnt = FRAME_FIRST_SPAN;
    f->payload_len = 0;
    f->back = 0;
    f->sum = 0;
    f->chunk_plan = 0;
}

void frame_add(struct frame *f, const uint8_t *octets, uint16_t len, uint16_t sum, uint8_t place)
{
    struct whit_span *last = &f->spans[f->span_cnt - 1];
    if (f->span_cnt > FRAME_FIRST_SPAN && last->octets + last->len == octets && last->place == place)    // one run of octets
        last->len = (uint16_t)(last->len + len);
    else
        f->spans[f->span_cnt++] = (struct whit_span){octets, len, place};
    f->sum = checksum_add(f->sum, f->payload_len & 1 ? checksum_swap(sum) : sum);
    f->payload_len = (uint16_t)(f->payload_len + len);
}

bool frame_send(struct frame *f, uint32_t remote_addr, uint16_t l3_len, bool answer)
{
    f->spans[FRAME_FIRST_SPAN - 1] = (struct whit_span){f->head, l3_len, WHIT_IN_RAM};
    bool sent = link_send(f, remote_addr, answer);
    count(sent ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    return sent;
}
