// SPDX-License-Identifier: MIT
// SipHash-2-4: a keyed hash for short messages, strong enough that who does not know the key cannot guess
// sequence numbers (RFC 6528) or tags. The message is absorbed in words of 8 octets, low octet first; the last
// word carries the length in its high octet.
#include "siphash.h"

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t word, uint8_t bits)
{
    return word << bits | word >> (64 - bits);
}

static void sip_rounds(struct sip *s, uint8_t rounds)
{
    uint64_t v0 = s->v0, v1 = s->v1, v2 = s->v2, v3 = s->v3;
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
    s->v0 = v0;
    s->v1 = v1;
    s->v2 = v2;
    s->v3 = v3;
}

// Up to 8 octets, low octet first.
static uint64_t word_of(const uint8_t *octets, uint8_t len)
{
    uint64_t word = 0;
    while (len-- != 0)
        word = word << 8 | octets[len];
    return word;
}

uint64_t siphash(const uint8_t key[16], const uint8_t *message, uint8_t len)
{
    uint64_t k0 = word_of(key, 8), k1 = word_of(key + 8, 8);
    struct sip s = {
        k0 ^ UINT64_C(0x736f6d6570736575),
        k1 ^ UINT64_C(0x646f72616e646f6d),
        k0 ^ UINT64_C(0x6c7967656e657261),
        k1 ^ UINT64_C(0x7465646279746573),
    };
    const uint8_t total = len;
    for (;;) {
        uint64_t word = len >= 8 ? word_of(message, 8) : word_of(message, len) | (uint64_t)total << 56;
        s.v3 ^= word;
        sip_rounds(&s, 2);
        s.v0 ^= word;
        if (len < 8)
            break;
        message += 8;
        len = (uint8_t)(len - 8);
    }
    s.v2 ^= 0xff;
    sip_rounds(&s, 4);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
