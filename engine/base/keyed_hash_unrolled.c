// SPDX-License-Identifier: MIT
// XTEA as its authors write it, with constants and words of the key in their places: fast, where keyed_hash_small.c is small.
#include "keyed_hash.h"
#include "state.h"
#include "tcb.h"

#define ROUNDS 32
#define DELTA 0x9e3779b9

struct hash keyed_hash(const struct whit_tcb *peer, uint16_t use)
{
    uint32_t x = peer->remote_addr, y = (uint32_t)peer->remote_port << 16 | use, sum = 0;
#pragma GCC unroll 32
    for (uint8_t i = 0; i < ROUNDS; i++) {
        x += ((y << 4 ^ y >> 5) + y) ^ (sum + whit.key[sum & 3]);
        sum += DELTA;
        y += ((x << 4 ^ x >> 5) + x) ^ (sum + whit.key[sum >> 11 & 3]);
    }
    return (struct hash){x, y};
}
