// SPDX-License-Identifier: MIT
// caching_sha2_password, as far as it goes without TLS: SHA256(password) XOR SHA256(SHA256(SHA256(password)), nonce).
#include "bearssl_hash.h"
#include "place.h"

#define NONCE_LEN 20

static void hash_sha256(uint8_t *to, const void *first, size_t first_len, const void *second, size_t second_len)
{
    br_sha256_context context;
    br_sha256_init(&context);
    br_sha256_update(&context, first, first_len);
    br_sha256_update(&context, second, second_len);
    br_sha256_out(&context, to);
}

uint8_t login_sha2(uint8_t *to, const uint8_t *nonce)
{
    if (whit_login.password_len == 0)
        return 0;
    uint8_t twice[br_sha256_SIZE], mask[br_sha256_SIZE];
    hash_sha256(to, whit_login.password, whit_login.password_len, "", 0);
    hash_sha256(twice, to, br_sha256_SIZE, "", 0);
    hash_sha256(mask, twice, sizeof twice, nonce, NONCE_LEN);
    for (uint8_t i = 0; i < br_sha256_SIZE; i++)
        to[i] ^= mask[i];
    return br_sha256_SIZE;
}
