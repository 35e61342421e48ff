// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), small: the schedule of a block has sixteen words.
#ifndef SHA256_HASH_H
#define SHA256_HASH_H

#define BLOCK 64
#define DIGEST 32

// Section 4.2.2.
static const uint32_t sha256_round[64] WHIT_FLASH = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

// Section 5.3.3.
static const uint32_t sha256_first[8] WHIT_FLASH = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotr(uint32_t x, uint8_t by)
{
    return x >> by | x << (32 - by);
}

// One block (section 6.2.2). The letters a to h of a round are at[0 to 7], those of the next one begin one word below.
static void sha256_block(struct whit_sha256 *sha)
{
    uint32_t letters[8 + 8], w[16], *at = sha->hash;
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t *octets = sha->block + 4 * i;
        w[i] = (uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 | (uint32_t)octets[2] << 8 | octets[3];
    }
    for (uint8_t i = 0; i < 64; i++) {
        uint8_t now = i & 15;
        if (i % 8 == 0) {
            for (uint8_t letter = 0; letter < 8; letter++)
                letters[8 + letter] = at[letter];
            at = letters + 8;
        }
        if (i >= 16) {
            uint32_t w15 = w[(i + 1) & 15], w2 = w[(i + 14) & 15];
            w[now] +=
                w[(i + 9) & 15] + (rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3) + (rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10);
        }
        uint32_t a = at[0], e = at[4];
        uint32_t t = at[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & (at[5] ^ at[6])) ^ at[6]) +
                     whit_flash_u32(&sha256_round[i]) + w[now];
        at--;
        at[4] += t;
        at[0] = t + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & at[2]) | (at[3] & (a | at[2])));
    }
    for (uint8_t i = 0; i < 8; i++)
        sha->hash[i] += at[i];
}

void whit_sha256_begin(struct whit_sha256 *sha)
{
    whit_flash_copy(sha->hash, sha256_first, sizeof sha->hash);
    sha->len = 0;
}

void whit_sha256_add(struct whit_sha256 *sha, const void *octets, uint16_t len)
{
    const uint8_t *from = octets, *end = from + len;
    uint8_t *to = sha->block + sha->len % BLOCK;
    sha->len += len;
    while (from != end) {
        *to++ = *from++;
        if (to == sha->block + BLOCK) {
            sha256_block(sha);
            to = sha->block;
        }
    }
}

void whit_sha256_end(struct whit_sha256 *sha, uint8_t digest[32])
{
    uint32_t len = sha->len;
    uint8_t octet = 0x80;
    do {
        whit_sha256_add(sha, &octet, 1);
        octet = 0;
    } while (sha->len % BLOCK != BLOCK - 8);
    memset(sha->block + BLOCK - 8, 0, 3);
    sha->block[BLOCK - 5] = (uint8_t)(len >> 29);
    len <<= 3;
    for (uint8_t i = 0; i < 4; i++)
        sha->block[BLOCK - 1 - i] = (uint8_t)(len >> 8 * i);
    sha256_block(sha);
    for (uint8_t i = 0; i < DIGEST; i++)
        digest[i] = (uint8_t)(sha->hash[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
