// SPDX-License-Identifier: MIT
// Cryptography without its slow parts, so that a fuzzer has a thousand handshakes in a second. A key exchange that
// anybody could break is one still: both ends come to the same secret. Signatures are not looked at.
#define whit_x25519_step slow_x25519_step
#define whit_x25519_public slow_x25519_public
#define whit_x25519 slow_x25519
#include "../ports/common/crypto/x25519_chacha.c"
#undef whit_x25519_step
#undef whit_x25519_public
#undef whit_x25519

#define ANSWER_MS 30    // time of the slow parts
#define SLICES 3

void fuzz_spend(uint32_t us);

void whit_x25519_public(uint8_t point[32], const uint8_t secret[32])
{
    memcpy(point, secret, 32);
}

bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32])
{
    for (uint8_t i = 0; i < 32; i++)
        shared[i] = secret[i] ^ point[i];
    return true;
}

bool whit_x25519_step(struct whit_ladder *ladder, uint8_t result[32], const uint8_t secret[32], const uint8_t *point)
{
    fuzz_spend(ANSWER_MS * UINT32_C(1000) / SLICES);
    if (ladder->left > SLICES)
        ladder->left = SLICES;
    if (--ladder->left != 0)
        return false;
    if (point != NULL)
        whit_x25519(result, secret, point);
    else
        whit_x25519_public(result, secret);
    return true;
}

bool whit_p256_begin(struct whit_p256 *nonce, const uint8_t key[32], const uint8_t input[32])
{
    memcpy(nonce->k, key, 32);
    memcpy(nonce->x, input, 32);
    nonce->step = SLICES;
    return true;
}

bool whit_p256_step(struct whit_p256 *nonce)
{
    return --nonce->step == 0;
}

bool whit_p256_finish(uint8_t signature[64], const uint32_t inverse[8], const uint32_t r[8], const uint8_t key[32],
                      const uint8_t digest[32])
{
    (void)inverse;
    (void)key;
    memcpy(signature, r, 32);
    memcpy(signature + 32, digest, 32);
    return true;
}

void whit_tls_key(uint8_t key[32])
{
    memset(key, 1, 32);
}
