// SPDX-License-Identifier: MIT
// ChaCha20-Poly1305 (RFC 8439) for processors that multiply 64 bits by 64. It computes eight blocks of the key stream
// at once, by AVX2 if the processor has it. The key stream of one record is kept here until the record ends; it is as
// secret as the record's key.
#include <string.h>

#include "whit/crypto.h"

#if defined(CT_VALGRIND)    // tests/crypto/test_constant_time.py
#include <valgrind/memcheck.h>
#define NO_SECRET(variable) (void)VALGRIND_MAKE_MEM_DEFINED(&(variable), sizeof(variable))
#else
#define NO_SECRET(variable)
#endif

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "octets are words");
__extension__ typedef unsigned __int128 product;

#define BLOCK 64
#define BLOCKS 8
#define GROUP (BLOCKS * BLOCK)
#define NO_GROUP UINT16_MAX

static struct {
    struct whit_aead_key key;
    uint64_t r[2], pad[2];    // keys of Poly1305
    uint16_t group;           // number of the group of blocks in `stream`
    _Alignas(32) uint8_t stream[GROUP];
} at_hand = {.group = NO_GROUP};

// ------------------------------------------------------------------------------------------------ ChaCha20

static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

static inline uint32_t rotated(uint32_t x, uint8_t by)
{
    return x << by | x >> (32 - by);
}

#define QUARTER(a, b, c, d)                            \
    do {                                               \
        x[a] += x[b], x[d] = ROTATED_16(x[d] ^ x[a]);  \
        x[c] += x[d], x[b] = ROTATED(x[b] ^ x[c], 12); \
        x[a] += x[b], x[d] = ROTATED_8(x[d] ^ x[a]);   \
        x[c] += x[d], x[b] = ROTATED(x[b] ^ x[c], 7);  \
    } while (0)
#define ROUNDS                         \
    for (uint8_t i = 0; i < 10; i++) { \
        QUARTER(0, 4, 8, 12);          \
        QUARTER(1, 5, 9, 13);          \
        QUARTER(2, 6, 10, 14);         \
        QUARTER(3, 7, 11, 15);         \
        QUARTER(0, 5, 10, 15);         \
        QUARTER(1, 6, 11, 12);         \
        QUARTER(2, 7, 8, 13);          \
        QUARTER(3, 4, 9, 14);          \
    }

// Section 2.3, a block after the other.
static void chacha_plain(uint8_t stream[GROUP], const uint32_t state[16])
{
#define ROTATED(of, by) rotated(of, by)
#define ROTATED_16(of) rotated(of, 16)
#define ROTATED_8(of) rotated(of, 8)
    for (uint8_t block = 0; block < BLOCKS; block++) {
        uint32_t x[16], first[16];
        memcpy(first, state, sizeof first);
        first[12] += block;
        memcpy(x, first, sizeof x);
        ROUNDS
        for (uint8_t i = 0; i < 16; i++)
            x[i] += first[i];
        memcpy(stream + BLOCK * block, x, sizeof x);
    }
#undef ROTATED
#undef ROTATED_16
#undef ROTATED_8
}

#if defined(__x86_64__) && !defined(AEAD_PLAIN)    // tests define AEAD_PLAIN
#define HAS_EIGHT __builtin_cpu_supports("avx2")
typedef uint32_t eight __attribute__((vector_size(32)));
typedef uint8_t octets32 __attribute__((vector_size(32)));
#define PAIRS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Words 8 * half to 8 * half + 7 of each of the blocks, from a vector of each word to a vector of each block.
__attribute__((target("avx2"))) static inline void transpose(uint8_t *stream, const eight x[8])
{
    eight y[8], z[8];
#pragma GCC unroll 4
    for (uint8_t i = 0; i < 8; i += 2) {
        y[i] = PAIRS(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        y[i + 1] = PAIRS(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
#pragma GCC unroll 4
    for (uint8_t i = 0; i < 8; i += 4)
#pragma GCC unroll 4
        for (uint8_t j = 0; j < 2; j++) {
            z[i + 2 * j] = PAIRS(y[i + j], y[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            z[i + 2 * j + 1] = PAIRS(y[i + j], y[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
#pragma GCC unroll 4
    for (uint8_t i = 0; i < 4; i++) {
        eight low = PAIRS(z[i], z[i + 4], 0, 1, 2, 3, 8, 9, 10, 11),
              high = PAIRS(z[i], z[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        memcpy(stream + BLOCK * i, &low, sizeof low);
        memcpy(stream + BLOCK * (i + 4), &high, sizeof high);
    }
}

// All blocks at once, a word of each in a vector.
__attribute__((target("avx2"))) static void chacha_avx2(uint8_t stream[GROUP], const uint32_t state[16])
{
#define ROTATED(of, by) ((of) << (by) | (of) >> (32 - (by)))
#define OCTETS_OF(of, ...) (eight) __builtin_shufflevector((octets32)(of), (octets32)(of), __VA_ARGS__)
#define ROTATED_16(of)                                                                                              \
    OCTETS_OF(of, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 18, 19, 16, 17, 22, 23, 20, 21, 26, 27, 24, \
              25, 30, 31, 28, 29)
#define ROTATED_8(of)                                                                                               \
    OCTETS_OF(of, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 19, 16, 17, 18, 23, 20, 21, 22, 27, 24, 25, \
              26, 31, 28, 29, 30)
    eight x[16];
    const eight counts = {0, 1, 2, 3, 4, 5, 6, 7};
#pragma GCC unroll 16
    for (uint8_t i = 0; i < 16; i++)
        x[i] = (eight){0} + state[i];
    x[12] += counts;
    ROUNDS
#pragma GCC unroll 16
    for (uint8_t i = 0; i < 16; i++)
        x[i] += state[i];
    x[12] += counts;
    transpose(stream, x);
    transpose(stream + BLOCK / 2, x + 8);
}
#else
#define HAS_EIGHT 0
#define chacha_avx2 chacha_plain
#endif

static void stream_make(uint16_t group)
{
    uint32_t state[16];
    memcpy(state, constants, sizeof constants);
    memcpy(state + 4, at_hand.key.key, sizeof at_hand.key.key);
    state[12] = group * BLOCKS;
    memcpy(state + 13, at_hand.key.nonce, sizeof at_hand.key.nonce);
    at_hand.group = group;
    if (HAS_EIGHT)
        chacha_avx2(at_hand.stream, state);
    else
        chacha_plain(at_hand.stream, state);
    whit_wipe(state, sizeof state);
}

// ---------------------------------------------------------------------------------------------- Poly1305 (section 2.5)

// A sum modulo 2^130 - 5: h[2] has 3 bits at most.
struct sum {
    uint64_t h[3];
};

// Computes (h2, h1, h0) += (a2, a1, a0). Compilers need this hint to make three instructions of it.
static inline void poly_add(uint64_t *h0, uint64_t *h1, uint64_t *h2, uint64_t a0, uint64_t a1, uint64_t a2)
{
#if defined(__x86_64__)
    __asm__("addq %3, %0\n\tadcq %4, %1\n\tadcq %5, %2"
            : "+&r"(*h0), "+&r"(*h1), "+r"(*h2)
            : "rm"(a0), "rme"(a1), "er"(a2)
            : "cc");
#else
    product t = (product)*h0 + a0;
    *h0 = (uint64_t)t;
    t = (product)*h1 + a1 + (uint64_t)(t >> 64);
    *h1 = (uint64_t)t;
    *h2 += a2 + (uint64_t)(t >> 64);
#endif
}

static inline void poly_blocks(struct sum *sum, const uint8_t *octets, uint16_t cnt)
{
    const uint64_t r0 = at_hand.r[0], r1 = at_hand.r[1], s1 = r1 + (r1 >> 2);    // r1 is a multiple of 4
    uint64_t h0 = sum->h[0], h1 = sum->h[1], h2 = sum->h[2];
    for (; cnt > 0; cnt--, octets += 16) {
        uint64_t m[2];
        memcpy(m, octets, sizeof m);
        poly_add(&h0, &h1, &h2, m[0], m[1], 1);    // 2^128 is added above each block
        product t = (product)h0 * r0 + (product)h1 * s1, u = (product)h0 * r1 + (product)h1 * r0;
        uint64_t high = h2 * r0;
        h0 = (uint64_t)t;
        u += h2 * s1 + (t >> 64);
        h1 = (uint64_t)u;
        high += (uint64_t)(u >> 64);
        h2 = high & 3;
        poly_add(&h0, &h1, &h2, (high >> 2) + (high & ~UINT64_C(3)), 0, 0);    // 5 (high / 4)
    }
    sum->h[0] = h0;
    sum->h[1] = h1;
    sum->h[2] = h2;
}

static void poly_load(struct sum *sum, const struct whit_aead *aead)
{
    memcpy(sum->h, aead->sum, 16);
    sum->h[2] = aead->sum[4];
}

static void poly_store(struct whit_aead *aead, const struct sum *sum)
{
    memcpy(aead->sum, sum->h, 16);
    aead->sum[4] = (uint32_t)sum->h[2];
}

// Adds text or data after `at` octets of a block.
static inline void poly_octets(struct sum *sum, uint8_t block[16], uint8_t at, const uint8_t *octets, uint16_t len)
{
    if (at > 0) {
        uint8_t part = len < 16 - at ? (uint8_t)len : 16 - at;
        memcpy(block + at, octets, part);
        if (at + part < 16)
            return;
        poly_blocks(sum, block, 1);
        octets += part;
        len -= part;
    }
    poly_blocks(sum, octets, len / 16);
    memcpy(block, octets + (len & ~15), len % 16);
}

static void poly_pad(struct sum *sum, uint8_t block[16], uint16_t len)
{
    if (len % 16 == 0)
        return;
    memset(block + len % 16, 0, 16 - len % 16);
    poly_blocks(sum, block, 1);
}

// ------------------------------------------------------------------------------------------------ both

static bool is_at_hand(const struct whit_aead_key *key)
{
    uint64_t one[4], other[4];
    uint32_t nonce[3], its[3];
    memcpy(one, key->key, sizeof one);
    memcpy(other, at_hand.key.key, sizeof other);
    memcpy(nonce, key->nonce, sizeof nonce);
    memcpy(its, at_hand.key.nonce, sizeof its);
    uint64_t differs = (one[0] ^ other[0]) | (one[1] ^ other[1]) | (one[2] ^ other[2]) | (one[3] ^ other[3]);
    differs |= (nonce[0] ^ its[0]) | (nonce[1] ^ its[1]) | (nonce[2] ^ its[2]);
    NO_SECRET(differs);    // the result is no secret
    return differs == 0 && at_hand.group != NO_GROUP;
}

// Block 0 of the key stream is Poly1305's key (section 2.6).
static void take_key(const struct whit_aead_key *key)
{
    if (is_at_hand(key))
        return;
    at_hand.key = *key;
    stream_make(0);
    memcpy(at_hand.r, at_hand.stream, sizeof at_hand.r);
    at_hand.r[0] &= UINT64_C(0x0ffffffc0fffffff);
    at_hand.r[1] &= UINT64_C(0x0ffffffc0ffffffc);
    memcpy(at_hand.pad, at_hand.stream + 16, sizeof at_hand.pad);
}

void whit_aead_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len)
{
    struct sum sum = {{0}};
    take_key(key);
    memset(aead, 0, sizeof *aead);
    aead->data_len = data_len;
    poly_octets(&sum, aead->block, 0, data, data_len);
    poly_pad(&sum, aead->block, data_len);
    poly_store(aead, &sum);
}

typedef uint64_t octets16 __attribute__((vector_size(16)));

static inline void cipher(uint8_t *to, const uint8_t *from, const uint8_t *stream, uint16_t len)
{
    uint16_t at = 0;
    for (; at + sizeof(octets16) <= len; at += (uint16_t)sizeof(octets16)) {
        octets16 text, key;
        memcpy(&text, from + at, sizeof text);
        memcpy(&key, stream + at, sizeof key);
        text ^= key;
        memcpy(to + at, &text, sizeof text);
    }
    for (; at < len; at++)
        to[at] = from[at] ^ stream[at];
}

static inline void aead_text(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                             uint16_t len, bool seal)
{
    struct sum sum;
    take_key(key);
    poly_load(&sum, aead);
    while (len > 0) {
        uint32_t at = aead->len + (uint32_t)BLOCK;    // position in the key stream
        uint16_t group = (uint16_t)(at / GROUP), part = GROUP - at % GROUP;
        if (part > len)
            part = len;
        if (group != at_hand.group)
            stream_make(group);
        if (!seal)
            poly_octets(&sum, aead->block, aead->len % 16, from, part);
        cipher(to, from, at_hand.stream + at % GROUP, part);
        if (seal)
            poly_octets(&sum, aead->block, aead->len % 16, to, part);
        aead->len += part;
        to += part;
        from += part;
        len -= part;
    }
    poly_store(aead, &sum);
}

void whit_aead_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len)
{
    aead_text(aead, key, to, from, len, true);
}

void whit_aead_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len)
{
    aead_text(aead, key, to, from, len, false);
}

// The sum below 2^130 - 5, and the other half of Poly1305's key. Nothing of the record stays at hand.
void whit_aead_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    struct sum sum;
    uint64_t lengths[2] = {aead->data_len, aead->len}, less[2], made[2];
    take_key(key);
    poly_load(&sum, aead);
    poly_pad(&sum, aead->block, aead->len);
    poly_blocks(&sum, (const uint8_t *)lengths, 1);
    product t = (product)sum.h[0] + 5;
    less[0] = (uint64_t)t;
    t = (t >> 64) + sum.h[1];
    less[1] = (uint64_t)t;
    uint64_t above = 0 - ((sum.h[2] + (uint64_t)(t >> 64)) >> 2);    // all ones where it is 2^130 - 5 or more
    t = (product)(sum.h[0] ^ (above & (sum.h[0] ^ less[0]))) + at_hand.pad[0];
    made[0] = (uint64_t)t;
    made[1] = (uint64_t)(t >> 64) + (sum.h[1] ^ (above & (sum.h[1] ^ less[1]))) + at_hand.pad[1];
    memcpy(tag, made, sizeof made);
    whit_wipe(&sum, sizeof sum);
    whit_wipe(&at_hand, sizeof at_hand);
    at_hand.group = NO_GROUP;
}
