// SPDX-License-Identifier: MIT
// A product of numbers of 2048 bits by multiplications of 64 bits; the same as the small one.
#ifndef RSA_PRODUCT_H
#define RSA_PRODUCT_H

#include "limbs.h"

#define WORDS WHIT_RSA_WORDS
#define RSA_LIMBS (WORDS / 2)

static uint64_t rsa_limb(const uint32_t *words, uint8_t i)
{
    return words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
}

static bool rsa_product(uint32_t *to, const uint32_t *one, const uint32_t *other, const struct whit_rsa_key *key)
{
    uint64_t y[RSA_LIMBS], n[RSA_LIMBS], t[RSA_LIMBS] = {0}, top = 0;
    for (uint8_t i = 0; i < RSA_LIMBS; i++) {
        y[i] = rsa_limb(other, i);
        n[i] = rsa_limb(key->modulus, i);
    }
    const uint64_t inverse = key->inverse * (2 + n[0] * key->inverse);    // 64 bits, by a step of Newton's method
    for (uint8_t i = 0; i < RSA_LIMBS; i++) {
        uint64_t x = rsa_limb(one, i), carry = 0, reduced = 0, word = limbs_along(x, y[0], t[0], &carry),
                 multiple = word * inverse;
        limbs_along(multiple, n[0], word, &reduced);    // the lowest word becomes 0
        for (uint8_t j = 1; j < RSA_LIMBS; j++)
            t[j - 1] = limbs_along(multiple, n[j], limbs_along(x, y[j], t[j], &carry), &reduced);
        u128 sum = (u128)carry + reduced + top;
        t[RSA_LIMBS - 1] = (uint64_t)sum;
        top = (uint64_t)(sum >> 64);
    }
    for (uint8_t i = 0; i < RSA_LIMBS; i++) {
        to[2 * i] = (uint32_t)t[i];
        to[2 * i + 1] = (uint32_t)(t[i] >> 32);
    }
    return top != 0;
}

#endif
