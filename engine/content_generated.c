// SPDX-License-Identifier: MIT
// Generated content. What a persistent (or volatile) generator wrote is kept in the shared buffer until it is
// acknowledged (S1); an idempotent one runs again for every segment, and only the octets that the segment wants
// are held, behind everything in the buffer, until the driver has taken them (S2).
#include "inner.h"

static struct args_t *arguments_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct args_t *)(void *)buffer_find(tcb, BLOCK_ARGUMENTS, &len);
}

static const struct whit_generator *generator_of(const struct whit_tcb *tcb)
{
    return whit_flash_ptr(&whit_resources[tcb->response.resource].generator);
}

// Runs it for octets [from, from + room). False: the handler could not answer.
static bool run(const struct whit_tcb *tcb, const struct whit_generator *generator, uint8_t *to, uint16_t from, uint16_t room)
{
    char (*do_get)(struct args_t *) = whit_flash_ptr(&generator->do_get);
    whit_out = (struct whit_out){to, from, room, 0};
    return do_get(arguments_of(tcb)) != 0;
}

static bool is_idempotent(const struct whit_tcb *tcb)
{
    return whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_IDEMPOTENT;
}

uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint16_t room;
    uint8_t *to;
    bool keep = whit_flash_u8(&whit_resources[tcb->request.resource].persistence) != WHIT_IDEMPOTENT;
    to = buffer_tail(&room);
    if (keep && (whit.rx.claim != 0 || (room < WHIT_BUFFER / 2 && buffer_others(tcb))))
        return HTTP_STATUS_CNT;
    if (!run(tcb, generator, to, 0, keep ? room : 0))
        return HTTP_500;
    if (!keep)
        return HTTP_200;
    if (whit_out.len > room || !buffer_claim(whit_out.len) || !buffer_keep(tcb, BLOCK_OUTPUT, whit_out.len))
        return HTTP_500;
    buffer_free(tcb, BLOCK_ARGUMENTS);
    return HTTP_200;
}

uint16_t content_generated_len(const struct whit_tcb *tcb)
{
    uint16_t len;
    if (is_idempotent(tcb)) {
        run(tcb, generator_of(tcb), NULL, 0, 0);
        return whit_out.len;
    }
    return buffer_find(tcb, BLOCK_OUTPUT, &len) != NULL ? len : 0;
}

uint16_t content_generated(struct frame *f, const struct whit_tcb *tcb, uint32_t from, uint16_t room)
{
    uint16_t len, space;
    uint8_t *octets;
    if (is_idempotent(tcb)) {
        octets = buffer_tail(&space);
        if (room > space)
            room = space;
        if (room == 0)
            return 0;
        run(tcb, generator_of(tcb), octets, (uint16_t)from, room);
        len = whit_out.len;
    } else {
        octets = buffer_find(tcb, BLOCK_OUTPUT, &len);
        if (octets == NULL)
            return 0;
        octets += from;
    }
    uint16_t left = (uint16_t)(len - from);
    if (left < room)
        room = left;
    frame_add(f, octets, room, checksum_octets(0, octets, room, false), false);
    return room;
}
