// SPDX-License-Identifier: MIT
// MariaDB's client_ed25519: the nonce, signed (RFC 8032, 5.1.6). The secret key is the password, of any length: its
// SHA-512 is the scalar and the prefix. Nothing that the server learns or chooses gives the password away but by
// guessing it.
#include "bearssl_hash.h"
#include "monocypher.h"
#include "place.h"

#define NONCE_LEN 32

// SHA-512 of three texts, modulo the order of the group.
static void reduced_sha512(uint8_t to[32], const uint8_t first[32], const uint8_t *second, size_t second_len,
                           const uint8_t *third)
{
    uint8_t hash[br_sha512_SIZE];
    br_sha512_context context;
    br_sha512_init(&context);
    br_sha512_update(&context, first, 32);
    br_sha512_update(&context, second, second_len);
    br_sha512_update(&context, third, NONCE_LEN);
    br_sha512_out(&context, hash);
    crypto_eddsa_reduce(to, hash);
}

uint8_t login_ed25519(uint8_t *to, const uint8_t *nonce)
{
    uint8_t key[br_sha512_SIZE], scalar[32], public_key[32], once[32], challenge[32];
    br_sha512_context context;
    br_sha512_init(&context);
    br_sha512_update(&context, whit_login.password, whit_login.password_len);
    br_sha512_out(&context, key);
    crypto_eddsa_trim_scalar(scalar, key);
    crypto_eddsa_scalarbase(public_key, scalar);
    reduced_sha512(once, key + 32, nonce, 0, nonce);
    crypto_eddsa_scalarbase(to, once);
    reduced_sha512(challenge, to, public_key, sizeof public_key, nonce);
    crypto_eddsa_mul_add(to + 32, challenge, scalar, once);
    crypto_wipe(key, sizeof key);
    crypto_wipe(scalar, sizeof scalar);
    crypto_wipe(once, sizeof once);
    return 64;
}
