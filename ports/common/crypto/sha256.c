// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and HKDF (RFC 5869).
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

#include "sha256_hash.h"

static void hmac_pad(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len, uint8_t pad)
{
    whit_sha256_begin(sha);
    for (uint8_t i = 0; i < BLOCK; i++)
        sha->block[i] = (uint8_t)((i < key_len ? key[i] : 0) ^ pad);
    sha->len = BLOCK;
    sha256_block(sha);
}

void whit_hmac_begin(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len)
{
    hmac_pad(sha, key, key_len, 0x36);
}

void whit_hmac_end(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len, uint8_t mac[32])
{
    uint8_t inner[DIGEST];
    whit_sha256_end(sha, inner);
    hmac_pad(sha, key, key_len, 0x5c);
    whit_sha256_add(sha, inner, DIGEST);
    whit_sha256_end(sha, mac);
    whit_wipe(inner, sizeof inner);
}

void whit_hkdf_extract(uint8_t secret[32], const uint8_t *salt, uint8_t salt_len, const uint8_t *input,
                       uint16_t input_len)
{
    struct whit_sha256 sha;
    whit_hmac_begin(&sha, salt, salt_len);
    whit_sha256_add(&sha, input, input_len);
    whit_hmac_end(&sha, salt, salt_len, secret);
    whit_wipe(&sha, sizeof sha);
}

void whit_hkdf_expand(uint8_t *to, uint8_t len, const uint8_t secret[32], const uint8_t *info, uint16_t info_len)
{
    static const uint8_t first = 1;
    struct whit_sha256 sha;
    uint8_t block[DIGEST];
    whit_hmac_begin(&sha, secret, DIGEST);
    whit_sha256_add(&sha, info, info_len);
    whit_sha256_add(&sha, &first, 1);
    whit_hmac_end(&sha, secret, DIGEST, block);
    memcpy(to, block, len);
    whit_wipe(block, sizeof block);
    whit_wipe(&sha, sizeof sha);
}

#include "secret_octets.h"
