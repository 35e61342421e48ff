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

// Of octets without a sum.
static uint16_t cut_sum(const struct piece *p, uint32_t from, uint16_t len)
{
    return WHIT_HAS_STORED && p->stored_sums != 0 ? stored_checksum(p, from, len) : checksum_flash(0, p->octets + from, len, false);
}

// The first of a segment begins where a sum is known, if there is room from there on.
static void begin_earlier(struct walk *w, const struct piece *p, bool chunks)
{
    uint16_t old = chunks ? (uint16_t)w->skip & (WHIT_CHUNK - 1) : (uint16_t)w->skip;
    if (old == 0 || w->limit < (chunks ? WHIT_CHUNK : p->len))
        return;
    w->overlap_len = old;
    w->skip -= old;
    w->limit = w->limit + old < w->mss ? (uint16_t)(w->limit + old) : w->mss;
}

// Counts of `len` octets, all that are left or as many as there is room for, those whose sum is known. Returns how many.
static uint16_t counted(struct walk *w, const struct piece *p, bool chunks, uint16_t len, bool all)
{
    uint16_t cut = len, old = chunks ? (uint16_t)w->skip & (WHIT_CHUNK - 1) : (uint16_t)w->skip;
    if (!all)
        len = chunks ? len & (uint16_t)~(WHIT_CHUNK - 1) : 0;
    if (len != 0 && old == 0) {
        walk_count(w, len, checksum_subtract(prefix_sum(p, w->skip + len), prefix_sum(p, w->skip)));
    } else if (w->len == 0) {    // a window or an MSS below a chunk cuts it
        len = cut;
        walk_count(w, len, cut_sum(p, w->skip, len));
    } else {
        len = 0;
    }
    return len;
}

bool static_walk(struct walk *w, const struct piece *p)
{
    bool chunks = in_chunks(p);
    if (!w->puts)
        begin_earlier(w, p, chunks);
    uint32_t left = p->len - w->skip;
    uint16_t len = w->limit < left ? w->limit : (uint16_t)left;
    if (!w->puts)
        len = counted(w, p, chunks, len, len == left);
    else if (len != 0)
        whit_driver_put(p->octets + w->skip, len, WHIT_HAS_STORED && p->stored_sums != 0 ? WHIT_IN_PERSISTENT : WHIT_IN_FLASH);
    w->limit = (uint16_t)(w->limit - len);
    w->skip = 0;
    return len == left && w->limit != 0;
}
