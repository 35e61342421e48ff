// SPDX-License-Identifier: MIT
// SipHash-2-4: a keyed hash for short messages, strong enough that who does not know the key cannot guess
// sequence numbers (RFC 6528) or tags. All our messages are one word long: address, port and use. In halves of 32
// bits, which are small on small machines.
#include "siphash.h"

#include "inner.h"

static const uint32_t constants[8] WHIT_FLASH = {
    0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
};

// To the left, by less than 32. A small processor shifts bit by bit: there, whole octets are moved first.
static struct hash rotated(struct hash h, uint8_t bits)
{
    if (sizeof(int) > 2)
        return (struct hash){h.low << bits | h.high >> (32 - bits), h.high << bits | h.low >> (32 - bits)};
    for (; bits >= 8; bits = (uint8_t)(bits - 8))
        h = (struct hash){h.low << 8 | h.high >> 24, h.high << 8 | h.low >> 24};
    uint8_t low = (uint8_t)(h.low >> 24), high = (uint8_t)(h.high >> 24);
    return (struct hash){h.low << bits | high >> (8 - bits), h.high << bits | low >> (8 - bits)};
}

// b is added to a, turned by `bits`, and takes up a.
static void mix(struct hash *a, struct hash *b, uint8_t bits)
{
    a->low += b->low;
    a->high += b->high + (a->low < b->low);
    *b = rotated(*b, bits);
    b->low ^= a->low;
    b->high ^= a->high;
}

static void half_round(struct hash *a, struct hash *b, struct hash *c, struct hash *d, uint8_t b_bits, uint8_t d_bits)
{
    mix(a, b, b_bits);
    mix(c, d, d_bits);
    *a = (struct hash){a->high, a->low};
}

static void take_word(struct hash *v, const struct hash *word)
{
    v->low ^= word->low;
    v->high ^= word->high;
}

struct hash siphash(const struct whit_tcb *peer, uint16_t use)
{
    union {
        uint32_t halves[8];
        struct hash v[4];
    } s;
    for (uint8_t i = 0; i < 8; i++)
        s.halves[i] = whit_flash_u32(&constants[i]) ^ whit.key[i & 3];
    struct hash *v = s.v, word = {(uint32_t)peer->remote_port << 16 | use, peer->remote_addr};
    for (uint8_t i = 0; i < 4; i++) {    // the message, its length, and twice nothing
        if (i == 2)
            v[2].low ^= 0xff;
        take_word(&v[3], &word);
        for (uint8_t rounds = 2; rounds != 0; rounds--) {
            half_round(&v[0], &v[1], &v[2], &v[3], 13, 16);
            half_round(&v[2], &v[1], &v[0], &v[3], 17, 21);
        }
        take_word(&v[0], &word);
        word = (struct hash){0, i == 0 ? UINT32_C(8) << 24 : 0};
    }
    take_word(&v[0], &v[1]);
    take_word(&v[0], &v[2]);
    take_word(&v[0], &v[3]);
    return v[0];
}
