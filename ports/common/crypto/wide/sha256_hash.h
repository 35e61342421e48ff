// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), fast: a round has its own code, and whole blocks are read where they are.
#ifndef SHA256_HASH_H
#define SHA256_HASH_H

#define BLOCK 64
#define DIGEST 32

static uint32_t rotr(uint32_t x, uint8_t by)
{
    return x >> by | x << (32 - by);
}

static inline uint32_t sha256_word(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

#define ROUND(a, b, c, d, e, f, g, h, k, i)                                                                     \
    do {                                                                                                        \
        uint32_t t = (h) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((((f) ^ (g)) & (e)) ^ (g)) + (k) + w[i]; \
        (d) += t;                                                                                               \
        (h) = t + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (((a) & (b)) | ((c) & ((a) | (b))));               \
    } while (0)
#define EIGHT(at, k0, k1, k2, k3, k4, k5, k6, k7)    \
    do {                                             \
        ROUND(a, b, c, d, e, f, g, h, k0, (at) + 0); \
        ROUND(h, a, b, c, d, e, f, g, k1, (at) + 1); \
        ROUND(g, h, a, b, c, d, e, f, k2, (at) + 2); \
        ROUND(f, g, h, a, b, c, d, e, k3, (at) + 3); \
        ROUND(e, f, g, h, a, b, c, d, k4, (at) + 4); \
        ROUND(d, e, f, g, h, a, b, c, k5, (at) + 5); \
        ROUND(c, d, e, f, g, h, a, b, k6, (at) + 6); \
        ROUND(b, c, d, e, f, g, h, a, k7, (at) + 7); \
    } while (0)

// Section 6.2.2: word i of the schedule, where that of i - 16 was.
#define NEXT(i)                                                                                           \
    (w[(i) & 15] += w[((i) + 9) & 15] +                                                                   \
                    (rotr(w[((i) + 1) & 15], 7) ^ rotr(w[((i) + 1) & 15], 18) ^ w[((i) + 1) & 15] >> 3) + \
                    (rotr(w[((i) + 14) & 15], 17) ^ rotr(w[((i) + 14) & 15], 19) ^ w[((i) + 14) & 15] >> 10))
#define NEXT_SIXTEEN                                                                  \
    do {                                                                              \
        NEXT(0), NEXT(1), NEXT(2), NEXT(3), NEXT(4), NEXT(5), NEXT(6), NEXT(7);       \
        NEXT(8), NEXT(9), NEXT(10), NEXT(11), NEXT(12), NEXT(13), NEXT(14), NEXT(15); \
    } while (0)

static void sha256_octets(uint32_t hash[8], const uint8_t *at)
{
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], g = hash[6], h = hash[7],
             w[16];
    for (uint8_t i = 0; i < 16; i++)
        w[i] = sha256_word(at + 4 * i);
    EIGHT(0, 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5);
    EIGHT(8, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174);
    NEXT_SIXTEEN;
    EIGHT(0, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da);
    EIGHT(8, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967);
    NEXT_SIXTEEN;
    EIGHT(0, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85);
    EIGHT(8, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070);
    NEXT_SIXTEEN;
    EIGHT(0, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3);
    EIGHT(8, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2);
    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
}

static void sha256_block(struct whit_sha256 *sha)
{
    sha256_octets(sha->hash, sha->block);
}

void whit_sha256_begin(struct whit_sha256 *sha)
{
    static const uint32_t first[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(sha->hash, first, sizeof first);
    sha->len = 0;
}

void whit_sha256_add(struct whit_sha256 *sha, const void *octets, uint16_t len)
{
    const uint8_t *from = octets;
    while (len > 0) {
        uint8_t at = sha->len % BLOCK, part = BLOCK - at;
        if (at == 0 && len >= BLOCK) {
            sha256_octets(sha->hash, from);
        } else {
            if (part > len)
                part = (uint8_t)len;
            memcpy(sha->block + at, from, part);
            if (at + part == BLOCK)
                sha256_block(sha);
        }
        sha->len += part;
        from += part;
        len -= part;
    }
}

void whit_sha256_end(struct whit_sha256 *sha, uint8_t digest[32])
{
    uint8_t at = sha->len % BLOCK;
    uint64_t bits = (uint64_t)sha->len << 3;
    sha->block[at++] = 0x80;
    if (at > BLOCK - 8) {
        memset(sha->block + at, 0, BLOCK - at);
        sha256_block(sha);
        at = 0;
    }
    memset(sha->block + at, 0, BLOCK - 8 - at);
    for (uint8_t i = 0; i < 8; i++)
        sha->block[BLOCK - 1 - i] = (uint8_t)(bits >> 8 * i);
    sha256_block(sha);
    for (uint8_t i = 0; i < DIGEST; i++)
        digest[i] = (uint8_t)(sha->hash[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
