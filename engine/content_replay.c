// SPDX-License-Identifier: MIT
// S2: what a generator said is not kept. It runs again, from its beginning, for every segment, and only the octets that
// the segment wants are held, behind everything in the buffer, until the driver has taken them. What is remembered is
// how long all of it was and a hash: should the generator say something else, the connection is reset, for what a client
// reads is always one response. Only while one segment carries all of the content may a volatile generator change it.
#include "inner.h"

struct replay {
    uint32_t len;     // octets of the content
    uint16_t hash;
};

static struct replay *kept_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct replay *)(void *)buffer_find(tcb, BLOCK_RUN, &len);
}

uint8_t replay_begin(const struct whit_tcb *tcb, uint32_t len, uint16_t hash)
{
    struct replay *replay = buffer_make(tcb, BLOCK_RUN, sizeof *replay);
    if (replay == NULL)
        return HTTP_STATUS_CNT;
    *replay = (struct replay){len, hash};
    return HTTP_200;
}

uint32_t replay_len(const struct whit_tcb *tcb)
{
    uint8_t framing[FRAMING_MAX];
    uint32_t len = kept_of(tcb)->len;
    return framing_length(framing, len) + (tcb->response.head_only ? 0 : len);
}

// Whether what it said now may follow what it said before.
static bool agrees(const struct whit_tcb *tcb, const struct replay *replay, const struct whit_out *out)
{
    if (tcb->position == 0 && tcb->response.flight == 0)
        return true;    // nothing of it has left
    if (out->len != replay->len)
        return false;
    bool whole = WHIT_HAS_VOLATILE && out->from == 0 && out->room >= out->len &&
                 whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_VOLATILE;
    return whole || out->hash == replay->hash;
}

enum gathered replay_gather(struct frame *f, const struct whit_tcb *tcb, uint32_t from)
{
    struct replay *replay = kept_of(tcb);
    uint16_t space, room = (uint16_t)(f->room - f->payload_len);
    uint8_t before = framing_length(f->framing, replay->len);
    uint8_t *to = buffer_tail(&space);
    struct whit_out out = {to, from > before ? from - before : 0, 0, space < room ? space : room, 0, 0};
    if (tcb->response.head_only) {
        frame_add_part(f, f->framing, before, &from);
        return GATHERED;
    }
    char (*plain)(struct args_t *) = whit_flash_ptr(&content_generator(tcb)->get.plain);
    whit_out = &out;
    if (plain(content_args(tcb)) == 0 || !agrees(tcb, replay, &out))
        return GATHER_CHANGED;
    *replay = (struct replay){out.len, out.hash};
    before = framing_length(f->framing, out.len);
    frame_add_part(f, f->framing, before, &from);
    uint32_t rest = out.len - out.from;
    from = 0;
    frame_add_part(f, to, rest < out.room ? (uint16_t)rest : out.room, &from);
    return GATHERED;
}
