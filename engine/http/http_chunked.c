// SPDX-License-Identifier: MIT
// The transfer coding of a body (RFC 9112 sections 6, 7): a length, or chunks.
#include <string.h>

#include "parser.h"
#include "../base/body_block.h"
#include "../base/chunked.h"
#include "../base/grammar.h"

// An octet around chunks. A chunk that goes beyond the body's limit is refused.
static uint8_t frame_step(struct body *b, uint8_t c)
{
    uint8_t step = b->transfer, next;
    if (++b->line_len > (step < TRANSFER_TRAILER ? LINE_MAX : TRAILERS_MAX))
        return HTTP_400;
    next = chunked_step(step, c, &b->left);
    if (next == TRANSFER_WRONG)
        return HTTP_400;
    if (b->left > b->room)
        return HTTP_413;
    if (step == TRANSFER_SIZE_LF)
        b->room -= b->left;
    if (step == TRANSFER_SIZE_LF || step == TRANSFER_CHUNK_LF)
        b->line_len = 0;
    b->transfer = next;
    return HTTP_200;
}

uint16_t transfer_run(struct body *b, uint8_t *octets, uint16_t len, uint8_t *status)
{
    uint16_t from = b->ready, to = from;
    *status = HTTP_200;
    while (b->transfer != TRANSFER_DONE && *status == HTTP_200) {
        if (b->transfer > TRANSFER_CHUNK) {
            if (from == len)
                break;
            *status = frame_step(b, octets[from++]);
            continue;
        }
        uint16_t here = (uint16_t)(len - from);
        here = b->left < here ? (uint16_t)b->left : here;
        if (to != from)
            memmove(octets + to, octets + from, here);
        from = (uint16_t)(from + here);
        to = (uint16_t)(to + here);
        b->left -= here;
        if (b->left != 0)
            break;
        b->transfer = b->transfer == TRANSFER_DATA ? TRANSFER_DONE : TRANSFER_CHUNK_CR;
    }
    b->ready = to;
    if (to != from)
        memmove(octets + (from - to), octets, to);
    return (uint16_t)(from - to);
}
