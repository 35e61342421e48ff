// SPDX-License-Identifier: MIT
// S0: octets read where it lies, in flash or in persistent memory. The sum of a run of chunks is the difference of two
// prefix sums, so its cost does not depend on how many there are; a piece of a head has its own. Where a segment must
// begin inside of a chunk or a piece, it begins with it: the octets before are old ones, which the peer passes over.
#include <stddef.h>

#include "strategies.h"
#include "../base/checksum.h"
#include "../link/walk.h"
#include "whit/driver.h"
#include "whit/port.h"

static bool in_chunks(const struct piece *p)
{
    return p->sums != NULL || (WHIT_HAS_STORED && p->stored_sums != 0);
}

// The sum of the first `len` octets, a multiple of the chunk or all of them.
static uint16_t prefix_sum(const struct piece *p, whit_position len)
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

// Of octets without a sum.
static uint16_t cut_sum(const struct piece *p, whit_position from, uint16_t len)
{
    return WHIT_HAS_STORED && p->stored_sums != 0 ? stored_checksum(p, from, len) : checksum_flash(0, p->octets + from, len, false);
}

// Counts of `most` octets, all that are left or as many as there is room for, those whose sum is known. Returns how many.
// mask: of the octets that go beyond what has a sum.
static uint16_t counted(struct walk *w, const struct piece *p, uint16_t mask, uint16_t most, bool all)
{
    uint16_t len = all ? most : (uint16_t)(most & ~mask);
    if (len != 0 && (w->skip & mask) == 0) {
        walk_count(w, len, checksum_subtract(prefix_sum(p, (whit_position)(w->skip + len)), prefix_sum(p, w->skip)));
        return len;
    }
    if (w->len != 0)
        return 0;
    walk_count(w, most, cut_sum(p, w->skip, most));    // a window or an MSS below a chunk cuts it
    return most;
}

void static_walk(struct walk *w, const struct piece *p)
{
    if (w->skip >= p->len) {
        w->skip = (whit_position)(w->skip - p->len);
        return;
    }
    bool chunks = in_chunks(p);
    uint16_t mask = chunks ? WHIT_CHUNK - 1 : UINT16_MAX, old = (uint16_t)w->skip & mask;
    if (!w->puts && old != 0 && w->limit >= (chunks ? WHIT_CHUNK : p->len)) {    // there is room for it from where a sum is known
        w->overlap_len = old;
        w->skip = (whit_position)(w->skip - old);
        w->limit = w->limit + old < w->mss ? (uint16_t)(w->limit + old) : w->mss;
    }
    whit_position left = (whit_position)(p->len - w->skip);
    uint16_t len = w->limit < left ? w->limit : (uint16_t)left;
    if (!w->puts)
        len = counted(w, p, mask, len, len == left);
    else if (len != 0)
        walk_put(p->octets + w->skip, len, WHIT_HAS_STORED && p->stored_sums != 0 ? WHIT_IN_PERSISTENT : WHIT_IN_FLASH);
    w->limit = len == left ? (uint16_t)(w->limit - len) : 0;
    w->skip = 0;
}
