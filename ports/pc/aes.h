// SPDX-License-Identifier: MIT
// AES-128 (FIPS 197) by the processor's own instructions. Words are little-endian, as the processor has them.
#ifndef AES_H
#define AES_H

#include <stdint.h>

#define AES_ROUNDS 10

struct aes_key {
    _Alignas(16) uint32_t words[4 * (AES_ROUNDS + 1)];
};

void aes_expand(struct aes_key *to, const uint32_t key[4]);
// Encrypts the block x, y, 0, 0 and returns the first half of the result.
void aes_encrypt(const struct aes_key *key, uint32_t x, uint32_t y, uint32_t *low, uint32_t *high);

#endif
