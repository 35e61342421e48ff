// SPDX-License-Identifier: MIT
// S0: content read from flash where it lies. The sum of a run of chunks is the difference of two prefix sums, so its
// cost does not depend on how many there are; a piece of a head has its own.
#include "inner.h"

// The sum of the first `len` octets of the content; len is a multiple of the chunk, or all of it.
static uint16_t prefix_sum(const struct piece *p, uint32_t len)
{
    return len == 0 ? 0 : whit_flash_u16(&p->sums[(len - 1) / WHIT_CHUNK]);
}

// What no table has: digits in RAM, or what a window or an MSS below a chunk cuts out of one.
static uint16_t add_summed(struct frame *f, const struct piece *p, uint32_t from, uint16_t len)
{
    const uint8_t *octets = p->octets + from;
    uint16_t sum = p->in_flash ? checksum_flash(0, octets, len, false) : checksum_octets(0, octets, len, false);
    frame_add(f, octets, len, sum, p->in_flash);
    return len;
}

uint16_t content_static(struct frame *f, const struct piece *p, uint32_t from, uint16_t room)
{
    uint32_t left = p->len - from;
    uint16_t len = left < room ? (uint16_t)left : room;
    if (p->sums == NULL) {
        if (from == 0 && len == p->len) {
            frame_add(f, p->octets, len, p->sum, p->in_flash);
            return len;
        }
    } else if ((from & (WHIT_CHUNK - 1)) == 0) {
        if (len < left)
            len &= (uint16_t)~(WHIT_CHUNK - 1u);
        if (len != 0 || left == 0) {
            frame_add(f, p->octets + from, len, checksum_subtract(prefix_sum(p, from + len), prefix_sum(p, from)), true);
            return len;
        }
        len = room;
    }
    return f->payload_len == 0 ? add_summed(f, p, from, len) : 0;
}
