// SPDX-License-Identifier: MIT
// SHA-1 (FIPS 180-4), small: for the digest of a UsernameToken, which is defined by it. It is not collision resistant;
// that digest does not need it to be.
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

#define SHA1_BLOCK 64

static uint32_t rotl(uint32_t x, uint8_t by)
{
    return x << by | x >> (32 - by);
}

// One block (section 6.1.3, with a schedule of sixteen words).
static void sha1_block(struct whit_sha1 *sha)
{
    uint32_t w[16], a = sha->hash[0], b = sha->hash[1], c = sha->hash[2], d = sha->hash[3], e = sha->hash[4];
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t *at = sha->block + 4 * i;
        w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (uint8_t i = 0; i < 80; i++) {
        uint8_t now = i & 15;
        if (i >= 16)
            w[now] = rotl(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[now], 1);
        uint32_t t = rotl(a, 5) + e + w[now];
        if (i < 20)
            t += (((c ^ d) & b) ^ d) + 0x5a827999;
        else if (i < 40)
            t += (b ^ c ^ d) + 0x6ed9eba1;
        else if (i < 60)
            t += ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
        else
            t += (b ^ c ^ d) + 0xca62c1d6;
        e = d;
        d = c;
        c = rotl(b, 30);
        b = a;
        a = t;
    }
    sha->hash[0] += a;
    sha->hash[1] += b;
    sha->hash[2] += c;
    sha->hash[3] += d;
    sha->hash[4] += e;
}

void whit_sha1_begin(struct whit_sha1 *sha)
{
    static const uint32_t first[5] WHIT_FLASH = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    whit_flash_copy(sha->hash, first, sizeof sha->hash);
    sha->len = 0;
}

void whit_sha1_add(struct whit_sha1 *sha, const void *octets, uint16_t len)
{
    for (const uint8_t *at = octets; len > 0; len--) {
        sha->block[sha->len++ % SHA1_BLOCK] = *at++;
        if (sha->len % SHA1_BLOCK == 0)
            sha1_block(sha);
    }
}

void whit_sha1_end(struct whit_sha1 *sha, uint8_t digest[20])
{
    uint32_t len = sha->len;
    uint8_t octet = 0x80;
    do {
        whit_sha1_add(sha, &octet, 1);
        octet = 0;
    } while (sha->len % SHA1_BLOCK != SHA1_BLOCK - 8);
    memset(sha->block + SHA1_BLOCK - 8, 0, 3);
    sha->block[SHA1_BLOCK - 5] = (uint8_t)(len >> 29);
    len <<= 3;
    for (uint8_t i = 0; i < 4; i++)
        sha->block[SHA1_BLOCK - 1 - i] = (uint8_t)(len >> 8 * i);
    sha1_block(sha);
    for (uint8_t i = 0; i < 20; i++)
        digest[i] = (uint8_t)(sha->hash[i / 4] >> (24 - 8 * (i % 4)));
}
