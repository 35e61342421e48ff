// SPDX-License-Identifier: MIT
// XTEA as its authors write it, with constants and words of the key in their places: fast, where keyed_hash_small.c is
// small. A machine with a cipher of its own takes that.
#include "limits.h"
#include "state.h"
#include "tcb.h"
#include "whit/port.h"

#define ROUNDS 32
#define DELTA 0x9e3779b9

// Cache of the last results: each frame of a peer needs the same ones again.
#define PLACES_MADE (WHIT_HASHES_KEPT != 0 ? WHIT_HASHES_KEPT : 1)
static struct place_made {
    uint32_t x, y, key;    // its input, and the key's first word, which differs from start to start
    struct hash hash;
} hashes_made[PLACES_MADE];

static struct hash xtea(uint32_t x, uint32_t y)
{
    uint32_t sum = 0;
#pragma GCC unroll 32
    for (uint8_t i = 0; i < ROUNDS; i++) {
        x += ((y << 4 ^ y >> 5) + y) ^ (sum + whit.key[sum & 3]);
        sum += DELTA;
        y += ((x << 4 ^ x >> 5) + x) ^ (sum + whit.key[sum >> 11 & 3]);
    }
    return (struct hash){x, y};
}

static struct hash made(uint32_t x, uint32_t y)
{
    struct hash hash;
    return WHIT_HAS_PORT_HASH && whit_port_hash(whit.key, x, y, &hash.low, &hash.high) ? hash : xtea(x, y);
}

// A function of its own: it is rarely needed.
__attribute__((noinline)) static void make(struct place_made *place, uint32_t x, uint32_t y)
{
    place->x = x;
    place->y = y;
    place->key = whit.key[0];
    place->hash = made(x, y);
}

struct hash keyed_hash(const struct whit_tcb *peer, uint16_t use)
{
    uint32_t x = peer->remote_addr, y = (uint32_t)peer->remote_port << 16 | use;
    if (WHIT_HASHES_KEPT == 0)
        return made(x, y);
    struct place_made *place = &hashes_made[(y * DELTA) >> 16 & (PLACES_MADE - 1)];
    if (place->x != x || place->y != y || place->key != whit.key[0])
        make(place, x, y);
    return place->hash;
}
