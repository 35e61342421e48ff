// SPDX-License-Identifier: MIT
// Verification of signatures of RSA-2048: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2.2). Nothing here is a
// secret, so the time may vary. Values that depend only on the key are computed when the application is compiled.
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

#include "rsa_product.h"

#define SQUARINGS 16    // the exponent is 2^16 + 1

// The octets before the digest: DigestInfo of section 9.2, in DER.
static const uint8_t digest_info[20] WHIT_FLASH = {
    0, 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
};

// True if a number is less than the modulus.
static bool is_below(const uint32_t *number, const struct whit_rsa_key *key)
{
    for (uint8_t i = WORDS; i-- != 0;) {
        uint32_t word = whit_flash_u32(&key->modulus[i]);
        if (number[i] != word)
            return number[i] < word;
    }
    return false;
}

// to = one * other / 2^2048 modulo the modulus; both are below the modulus, and neither is `to`.
static void multiply(uint32_t *to, const uint32_t *one, const uint32_t *other, const struct whit_rsa_key *key)
{
    if (!rsa_product(to, one, other, key) && is_below(to, key))
        return;
    uint8_t borrow = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        uint64_t left = (uint64_t)to[i] - whit_flash_u32(&key->modulus[i]) - borrow;
        to[i] = (uint32_t)left;
        borrow = (uint8_t)(left >> 63);
    }
}

bool whit_rsa_check_begin(struct whit_rsa_check *c, const uint8_t signature[WHIT_RSA_LEN],
                          const struct whit_rsa_key *key)
{
    for (uint8_t i = 0; i < WORDS; i++) {
        const uint8_t *at = signature + WHIT_RSA_LEN - 4 - 4 * i;
        c->signature[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    whit_flash_copy(c->power[0], key->square, sizeof c->power[0]);
    c->step = 0;
    return is_below(c->signature, key);
}

// Returns the octet at a place of the encoded message (section 9.2). All octets are known, so nothing is parsed.
static uint8_t expected_octet(uint8_t at, const uint8_t digest[32])
{
    const uint8_t info_at = WHIT_RSA_LEN - 32 - sizeof digest_info;
    if (at >= WHIT_RSA_LEN - 32)
        return digest[at - (WHIT_RSA_LEN - 32)];
    if (at >= info_at)
        return whit_flash_u8(&digest_info[at - info_at]);
    return at == 0 ? 0 : at == 1 ? 1 : 0xff;
}

static bool is_expected(const uint32_t *number, const uint8_t digest[32])
{
    for (uint16_t at = 0; at < WHIT_RSA_LEN; at++) {
        uint16_t low = WHIT_RSA_LEN - 1 - at;
        if ((uint8_t)(number[low / 4] >> 8 * (low % 4)) != expected_octet((uint8_t)at, digest))
            return false;
    }
    return true;
}

bool whit_rsa_check_step(struct whit_rsa_check *c, const struct whit_rsa_key *key, const uint8_t digest[32],
                         bool *holds)
{
    uint32_t *from = c->power[c->step & 1], *to = c->power[~c->step & 1];
    // the first one makes it Montgomery's, the last one an integer
    bool squares = c->step != 0 && c->step <= SQUARINGS;
    multiply(to, squares ? from : c->signature, from, key);
    if (c->step++ <= SQUARINGS)
        return false;
    *holds = is_expected(to, digest);
    return true;
}

bool whit_rsa_verify(const uint8_t signature[WHIT_RSA_LEN], const struct whit_rsa_key *key, const uint8_t digest[32])
{
    struct whit_rsa_check c;
    bool holds = false;
    if (!whit_rsa_check_begin(&c, signature, key))
        return false;
    while (!whit_rsa_check_step(&c, key, digest, &holds)) {
    }
    return holds;
}
