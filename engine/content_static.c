// SPDX-License-Identifier: MIT
// S0: octets read where it lies, in flash or in persistent memory. The sum of a run of chunks is the difference of two
// prefix sums, so its cost does not depend on how many there are; a piece of a head has its own. Where a segment must
// begin inside of a chunk or a piece, it begins with it: the octets before are old ones, which the peer passes over.
#include "inner.h"

static bool in_chunks(const struct piece *p)
{
    return p->sums != NULL || (WHIT_HAS_STORED && p->stored_sums != 0);
}

// The sum of the first `len` octets, a multiple of the chunk or all of them.
static uint16_t prefix_sum(const struct piece *p, uint32_t len)
{
    if (len == 0)
        return 0;
    if (len == p->len)
        return p->sum;
    uint16_t chunk = (uint16_t)((len - 1) / WHIT_CHUNK);
    if (WHIT_HAS_STORED && p->stored_sums != 0)
        return stored_sum_at((uint16_t)(p->stored_sums + 2 * chunk));
    return whit_flash_u16(&p->sums[chunk]);
}

// Of octets for which there is none.
static uint16_t cut_sum(const struct piece *p, uint32_t from, uint16_t len)
{
    return WHIT_HAS_STORED && p->stored_sums != 0 ? stored_checksum(p, from, len) : checksum_flash(0, p->octets + from, len, false);
}

bool content_static(struct frame *f, const struct piece *p, uint32_t from)
{
    bool chunks = in_chunks(p);
    uint8_t place = WHIT_HAS_STORED && p->stored_sums != 0 ? WHIT_IN_PERSISTENT : WHIT_IN_FLASH;
    uint32_t start = chunks ? from & ~(WHIT_CHUNK - UINT32_C(1)) : 0;    // where a sum is known
    uint16_t old = (uint16_t)(from - start), room = (uint16_t)(f->room - f->payload_len);
    if (old != 0 && room >= (chunks ? WHIT_CHUNK : p->len)) {    // it is the frame's first
        f->back = old;
        f->room = room + old < f->mss ? (uint16_t)(room + old) : f->mss;
        room = f->room;
        from = start;
    }
    uint32_t len = room, left = p->len - from;
    if (len >= left)
        len = left;
    else
        len = chunks ? len & ~(WHIT_CHUNK - UINT32_C(1)) : 0;
    if (len != 0 && from == start) {
        uint16_t sum = checksum_subtract(prefix_sum(p, start + len), prefix_sum(p, start));
        frame_add(f, p->octets + start, (uint16_t)len, sum, place);
    } else if (f->payload_len == 0) {    // a window or an MSS below a chunk cuts it
        len = room < left ? room : left;
        frame_add(f, p->octets + from, (uint16_t)len, cut_sum(p, from, (uint16_t)len), place);
    } else {
        return false;
    }
    return len == left;
}
