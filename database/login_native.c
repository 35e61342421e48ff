// SPDX-License-Identifier: MIT
// mysql_native_password: SHA1(password) XOR SHA1(nonce, SHA1(SHA1(password))).
#include "bearssl_hash.h"
#include "place.h"

#define NONCE_LEN 20

static void hash_sha1(uint8_t *to, const void *first, size_t first_len, const void *second, size_t second_len)
{
    br_sha1_context context;
    br_sha1_init(&context);
    br_sha1_update(&context, first, first_len);
    br_sha1_update(&context, second, second_len);
    br_sha1_out(&context, to);
}

uint8_t login_native(uint8_t *to, const uint8_t *nonce)
{
    if (whit_login.password_len == 0)
        return 0;
    uint8_t twice[br_sha1_SIZE], mask[br_sha1_SIZE];
    hash_sha1(to, whit_login.password, whit_login.password_len, "", 0);
    hash_sha1(twice, to, br_sha1_SIZE, "", 0);
    hash_sha1(mask, nonce, NONCE_LEN, twice, sizeof twice);
    for (uint8_t i = 0; i < br_sha1_SIZE; i++)
        to[i] ^= mask[i];
    return br_sha1_SIZE;
}
