// SPDX-License-Identifier: MIT
// S0: octets are read in their place, in flash or in persistent memory. The sum of a run of chunks is the difference of
// two prefix sums: its cost does not depend on the number of chunks. A piece of a head has its own sum. A segment that
// must begin inside a chunk or a piece begins at its start: the peer ignores the old octets.
#include <stddef.h>

#include "internal.h"
#include "response.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/persistent.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "whit/driver.h"
#include "whit/port.h"

static uint16_t stored_sum_at(uint16_t address);    // a prefix sum
// sum of octets inside a chunk
static uint16_t stored_checksum(const struct piece *p, whit_position from, uint16_t len);

static bool in_chunks(const struct piece *p)
{
    return p->sums != NULL || (WHIT_HAS_STORED && p->stored_sums != 0);
}

// Returns the sum of the first `len` octets, a multiple of the chunk or all of them.
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

// Returns the sum of octets without a prefix sum.
static uint16_t cut_sum(const struct piece *p, whit_position from, uint16_t len)
{
    return WHIT_HAS_STORED && p->stored_sums != 0 ? stored_checksum(p, from, len)
                                                  : checksum_flash(0, p->octets + from, len, false);
}

// Counts at most `most` octets whose sum is known: all that are left, or as many as fit. Returns their number. mask: of
// the octets beyond the known sum.
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
    // there is room for it from where a sum is known
    if (!w->puts && old != 0 && w->limit >= (chunks ? WHIT_CHUNK : p->len)) {
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

// ------------------------------------------------------------------------------------------------ stored contents

// Content that was fixed at run time, sent like a file (S0): octets and prefix sums are in persistent memory. A
// response keeps the bank that it began with. A writer resets the response before it writes there (persistent.c). Only
// the version has the length and the entity tag, so those two field lines are written anew for each segment.

static const struct whit_stored *stored_of(const struct whit_resource *r)
{
    return stored_content((uint8_t)whit_flash_u32(&r->etag));
}

// Finds the version that a response sends: bank and header.
static uint16_t version_of(const struct whit_tcb *tcb, struct stored_header *h)
{
    const struct whit_stored *s = stored_of(&whit_resources[tcb->response.resource]);
    uint8_t bank = (uint8_t)(tcb->response.resource - whit_flash_u16(&s->resource));
    *h = (struct stored_header){0};
    (void)stored_header_read(s, bank, h);
    return stored_address(s, bank);
}

// Neither another version of this content nor, most likely, another content of the same version has it.
static uint32_t header_etag(const struct stored_header *h)
{
    return (uint32_t)h->version << 16 | h->hash;
}

uint32_t content_stored_etag(const struct whit_resource *r)
{
    struct stored_header h;
    if (!WHIT_HAS_STORED)
        return 0;
    return stored_current(stored_of(r), &h) == STORED_BANKS ? 0 : header_etag(&h);
}

uint16_t content_stored_select(const struct whit_tcb *tcb)
{
    uint16_t resource = tcb->request.resource;
    if (!WHIT_HAS_STORED || resource == RESOURCE_NONE)
        return resource;
    const struct whit_resource *r = &whit_resources[resource];
    if (whit_flash_u8(&r->persistence) != WHIT_STORED)
        return resource;
    struct stored_header h;
    uint8_t bank = stored_current(stored_of(r), &h);
    return bank == STORED_BANKS ? RESOURCE_NONE : (uint16_t)(resource + bank);
}

#define ETAG_LINE 18    // octets of `ETag: "01234567"`, CR LF

static uint8_t fields_len(bool length)
{
    return length ? ETAG_LINE + LENGTH_LINES : ETAG_LINE + 2;
}

// Writes the field lines and the empty line; returns octets.
static uint8_t put_fields(uint8_t *to, const struct stored_header *h, bool length)
{
    static const char name[] WHIT_FLASH = "ETag: \"";
    static const char end[] WHIT_FLASH = "\"\r\n\r\n";
    uint32_t etag = header_etag(h);
    whit_flash_copy(to, name, sizeof name - 1);
    for (uint8_t at = ETAG_LINE - 4; at >= sizeof name - 1; at--, etag >>= 4)
        to[at] = (uint8_t)((etag & 15) < 10 ? '0' + (etag & 15) : 'a' - 10 + (etag & 15));
    whit_flash_copy(to + ETAG_LINE - 3, end, sizeof end - 1);
    if (length)
        framing_length(to + ETAG_LINE, h->len);
    return fields_len(length);
}

uint16_t content_stored_len(const struct whit_tcb *tcb, bool content)
{
    struct stored_header h = {.len = stored_gone_len()};
    if (!WHIT_HAS_STORED)
        return 0;
    if (tcb->response.kind != KIND_GONE)
        version_of(tcb, &h);
    return (uint16_t)(fields_len(tcb->response.kind != KIND_NOT_MODIFIED) + (content ? h.len : 0));
}

// A function of its own: the lines are not on the stack while the content is put.
__attribute__((noinline)) static void fields_walk(struct walk *w, const struct stored_header *h, bool length)
{
    uint8_t fields[FRAMING_MAX];
    walk_ram(w, fields, put_fields(fields, h, length), WHIT_IN_RAM);
}

void stored_walk(struct walk *w, const struct whit_tcb *tcb, bool content)
{
    if (!WHIT_HAS_STORED)
        return;
    struct stored_header h;
    uint16_t sums = (uint16_t)(version_of(tcb, &h) + sizeof h);
    fields_walk(w, &h, tcb->response.kind == KIND_CONTENT);
    if (w->limit == 0 || !content || h.len == 0)
        return;
    uint16_t size = whit_flash_u16(&stored_of(&whit_resources[tcb->response.resource])->size);
    const uint8_t *octets = whit_port_persistent_at((uint16_t)(sums + stored_sums_len(size)));
    struct piece p = {octets, NULL, h.len, stored_sum_at((uint16_t)(sums + stored_sums_len(h.len) - 2)), sums};
    static_walk(w, &p);
}

static uint16_t stored_sum_at(uint16_t address)
{
    uint16_t sum = 0;
    (void)whit_port_persistent_read(address, &sum, sizeof sum);
    return sum;
}

static uint16_t stored_checksum(const struct piece *p, whit_position from, uint16_t len)
{
    uint16_t address = (uint16_t)((p->octets - whit_port_persistent_at(0)) + from), sum = 0;
    METER(static_checksum_octets, len);
    for (uint16_t i = 0; i < len; i++) {
        uint8_t octet = 0;
        (void)whit_port_persistent_read((uint16_t)(address + i), &octet, 1);
        sum = checksum_add(sum, i & 1 ? octet : (uint16_t)(octet << 8));
    }
    return sum;
}
