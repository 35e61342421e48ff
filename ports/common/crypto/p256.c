// SPDX-License-Identifier: MIT
// ECDSA on P-256 by p256-m (tools/whit/setup/libraries.py), as a part of this unit. It asks for a random scalar, and gets the nonce of
// RFC 6979, section 3.2. One thing differs from it: a digest above the group's order, one in 2^32, is not reduced before it is hashed into
// the nonce, which is as unpredictable without that.
#include <string.h>

#include "whit/crypto.h"

#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#include "p256-m.c"

// K and V of RFC 6979; the signature that is being made.
static struct {
    uint8_t key[32], value[32];
    bool again;    // the candidate before was no scalar
} nonce;

// K = HMAC_K(V || mark || more), V = HMAC_K(V).
static void nonce_step(uint8_t mark, const uint8_t *key, const uint8_t *digest)
{
    struct whit_sha256 sha;
    whit_hmac_begin(&sha, nonce.key, sizeof nonce.key);
    whit_sha256_add(&sha, nonce.value, sizeof nonce.value);
    whit_sha256_add(&sha, &mark, 1);
    if (key != NULL) {
        whit_sha256_add(&sha, key, 32);
        whit_sha256_add(&sha, digest, 32);
    }
    whit_hmac_end(&sha, nonce.key, sizeof nonce.key, nonce.key);
    whit_hkdf_extract(nonce.value, nonce.key, sizeof nonce.key, nonce.value, sizeof nonce.value);
    whit_wipe(&sha, sizeof sha);
}

psa_status_t psa_generate_random(uint8_t *to, size_t len)
{
    if (nonce.again)
        nonce_step(0, NULL, NULL);
    nonce.again = true;
    whit_hkdf_extract(nonce.value, nonce.key, sizeof nonce.key, nonce.value, sizeof nonce.value);
    memcpy(to, nonce.value, len);
    return 0;
}

void mbedtls_platform_zeroize(void *secret, size_t len) { whit_wipe(secret, (uint16_t)len); }

bool whit_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32])
{
    memset(nonce.key, 0, sizeof nonce.key);
    memset(nonce.value, 1, sizeof nonce.value);
    nonce_step(0, key, digest);
    nonce_step(1, key, digest);
    nonce.again = false;
    bool done = p256_ecdsa_sign(signature, key, digest, 32) == P256_SUCCESS;
    whit_wipe(&nonce, sizeof nonce);
    return done;
}
