// SPDX-License-Identifier: MIT
// A product of numbers of 2048 bits, small: by multiplications of 32 bits.
#ifndef RSA_PRODUCT_H
#define RSA_PRODUCT_H

#define WORDS WHIT_RSA_WORDS

// to = one * other / 2^2048 modulo the modulus, or that and the modulus once more (Montgomery 1985), word by word of
// `one`. Returns whether bit 2048 is set. A sum is at most (2^32 - 1)^2 + 2 (2^32 - 1).
static bool rsa_product(uint32_t *to, const uint32_t *one, const uint32_t *other, const struct whit_rsa_key *key)
{
    uint32_t top = 0, inverse = whit_flash_u32(&key->inverse);
    memset(to, 0, 4 * WORDS);
    for (uint8_t i = 0; i < WORDS; i++) {
        uint64_t sum = to[0] + (uint64_t)one[i] * other[0];
        uint32_t multiple = (uint32_t)sum * inverse;
        // its lower half is 0
        uint64_t reduced = (uint32_t)sum + (uint64_t)multiple * whit_flash_u32(&key->modulus[0]);
        for (uint8_t j = 1; j < WORDS; j++) {
            sum = (sum >> 32) + to[j] + (uint64_t)one[i] * other[j];
            reduced = (reduced >> 32) + (uint32_t)sum + (uint64_t)multiple * whit_flash_u32(&key->modulus[j]);
            to[j - 1] = (uint32_t)reduced;
        }
        sum = (sum >> 32) + (reduced >> 32) + top;
        to[WORDS - 1] = (uint32_t)sum;
        top = (uint32_t)(sum >> 32);
    }
    return top != 0;
}

#endif
