// SPDX-License-Identifier: MIT
// XTEA (Needham, Wheeler 1997): a block cipher of 64 bits as a keyed hash. Address, port and use are exactly one block.
// Without the key, sequence numbers (RFC 6528) and tags cannot be guessed. SECURITY.md gives the reasons for XTEA. This
// version is small; keyed_hash_unrolled.c is fast.
#include "state.h"
#include "tcb.h"

#define HALF_ROUNDS 64
#define DELTA 0x9e3779b9

struct hash keyed_hash(const struct whit_tcb *peer, uint16_t use)
{
    uint32_t x = peer->remote_addr, y = (uint32_t)peer->remote_port << 16 | use, sum = 0;
    uint8_t word = 0;
    for (uint8_t i = 0; i < HALF_ROUNDS; i++) {
        uint32_t next = x + (((y << 4 ^ y >> 5) + y) ^ (sum + whit.key[word & 3]));
        x = y;
        y = next;
        if (i & 1) {
            word = (uint8_t)sum;
        } else {
            sum += DELTA;
            word = (uint8_t)(sum >> 8) >> 3;
        }
    }
    return (struct hash){x, y};
}
