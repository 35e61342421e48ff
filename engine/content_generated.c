// SPDX-License-Identifier: MIT
// Generated content. What a persistent (or volatile) generator wrote is kept in the shared buffer until it is
// acknowledged (S1); an idempotent one runs again for every segment, and only the octets that the segment wants
// are held, behind everything in the buffer, until the driver has taken them (S2). Of those a digest is kept: should
// the generator say something else after all, the connection is reset, for what a client reads is always one response.
#include "inner.h"

#include <string.h>

struct digest {
    uint16_t len, hash;
};

static const struct whit_generator *generator_of(const struct whit_tcb *tcb)
{
    return whit_flash_ptr(&whit_resources[tcb->response.resource].generator);
}

static bool is_idempotent(uint16_t resource)
{
    return WHIT_HAS_IDEMPOTENT && whit_flash_u8(&whit_resources[resource].persistence) == WHIT_IDEMPOTENT;
}

// Runs it for the octets that `out` wants. False: the handler could not answer.
static bool run(const struct whit_tcb *tcb, const struct whit_generator *generator, struct whit_out *out)
{
    uint16_t len;
    char (*plain)(struct args_t *) = whit_flash_ptr(&generator->get.plain);
    whit_out = out;
    return plain((struct args_t *)(void *)buffer_find(tcb, BLOCK_ARGUMENTS, &len)) != 0;
}

// Makes a block of what stands behind everything in the buffer.
static uint8_t keep(struct whit_tcb *tcb, uint16_t len)
{
    return buffer_claim(len) && buffer_keep(tcb, BLOCK_OUTPUT, len) ? HTTP_200 : HTTP_500;
}

uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint16_t room;
    uint8_t *to = buffer_tail(&room);
    struct whit_out out = {to, 0, 0, 0, 0};
    if (whit.rx.claim != 0 || room < sizeof(struct digest))
        return HTTP_STATUS_CNT;
    if (is_idempotent(tcb->request.resource)) {
        if (!run(tcb, generator, &out) || out.len == 0xffff)
            return HTTP_500;
        struct digest digest = {out.len, out.hash};
        memcpy(to, &digest, sizeof digest);
        return keep(tcb, sizeof digest);
    }
    if (room < WHIT_BUFFER / 2 && buffer_others(tcb))
        return HTTP_STATUS_CNT;
    out.room = room;
    if (!run(tcb, generator, &out) || out.len > room)
        return HTTP_500;
    uint8_t status = keep(tcb, out.len);
    buffer_free(tcb, BLOCK_ARGUMENTS);
    return status;
}

static const uint8_t *kept(const struct whit_tcb *tcb, struct digest *digest)
{
    const uint8_t *octets = buffer_find(tcb, BLOCK_OUTPUT, &digest->len);
    if (is_idempotent(tcb->response.resource))
        memcpy(digest, octets, sizeof *digest);
    return octets;
}

uint16_t content_generated_len(const struct whit_tcb *tcb)
{
    struct digest digest;
    kept(tcb, &digest);
    return digest.len;
}

bool content_generated(struct frame *f, const struct whit_tcb *tcb, uint32_t from)
{
    struct digest digest;
    const uint8_t *octets = kept(tcb, &digest) + from;
    uint16_t room = (uint16_t)(f->room - f->payload_len), left = (uint16_t)(digest.len - from);
    if (left < room)
        room = left;
    if (is_idempotent(tcb->response.resource)) {
        uint16_t space;
        uint8_t *to = buffer_tail(&space);
        octets = to;
        room = space < room ? space : room;
        struct whit_out out = {to, (uint16_t)from, room, 0, 0};
        if (!run(tcb, generator_of(tcb), &out) || out.len != digest.len || out.hash != digest.hash)
            return false;
    }
    frame_add(f, octets, room, checksum_octets(0, octets, room, false), false);
    return true;
}
