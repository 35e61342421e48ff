// SPDX-License-Identifier: MIT
// SipHash-2-4: a keyed hash for short messages, strong enough that who does not know the key cannot guess
// sequence numbers (RFC 6528) or tags. All our messages are two words long, so that no octet is looked at.
#include "siphash.h"

#include "inner.h"

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t word, uint8_t bits)
{
    return word << bits | word >> (64 - bits);
}

// Absorbs a word by `rounds` rounds.
static void absorb(struct sip *s, uint64_t word, uint8_t rounds)
{
    uint64_t v0 = s->v0, v1 = s->v1, v2 = s->v2, v3 = s->v3 ^ word;
    while (rounds-- != 0) {
        v0 += v1;
        v2 += v3;
        v1 = rotate(v1, 13) ^ v0;
        v3 = rotate(v3, 16) ^ v2;
        v0 = rotate(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = rotate(v1, 17) ^ v2;
        v3 = rotate(v3, 21) ^ v0;
        v2 = rotate(v2, 32);
    }
    *s = (struct sip){v0 ^ word, v1, v2, v3};
}

uint64_t siphash(uint64_t first, uint64_t second)
{
    uint64_t k0 = (uint64_t)whit.key[1] << 32 | whit.key[0], k1 = (uint64_t)whit.key[3] << 32 | whit.key[2];
    struct sip s = {
        k0 ^ UINT64_C(0x736f6d6570736575),
        k1 ^ UINT64_C(0x646f72616e646f6d),
        k0 ^ UINT64_C(0x6c7967656e657261),
        k1 ^ UINT64_C(0x7465646279746573),
    };
    absorb(&s, first, 2);
    absorb(&s, second, 2);
    absorb(&s, (uint64_t)16 << 56, 2);    // the last word carries the length
    s.v2 ^= 0xff;
    absorb(&s, 0, 4);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
