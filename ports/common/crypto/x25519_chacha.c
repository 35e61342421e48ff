// SPDX-License-Identifier: MIT
// X25519 and ChaCha20-Poly1305 by Monocypher (tools/whit/setup/libraries.py), as a part of this unit: functions that
// are not called are not in the image.
#include <string.h>

#include "whit/crypto.h"

#include "monocypher.c"

// digits of a slice, some 10 000 cycles each on a Cortex-M3; the work after the last one costs as much as 27
#define SLICE 32
#define DIGITS 255
enum { X2, Z2, X3, Z3 };

void whit_x25519_begin(struct whit_ladder *ladder, const uint8_t *point)
{
    static const uint8_t generator[32] = {9};
    memset(ladder, 0, sizeof *ladder);
    ladder->at[X2][0] = ladder->at[Z3][0] = 1;
    memcpy(ladder->at[X3], point != NULL ? point : generator, 32);
    ladder->left = DIGITS;
}

// A step of scalarmult() of Monocypher: (P2, P3) becomes (2 P2, P2 + P3), swapped before and after by the digit.
// Squares and the curve's constant are products like others: that takes a quarter more instructions, and 2 kB less.
static void ladder_step(fe p[4], const fe x1, int digit)
{
    static const fe a24 = {121666};
    fe t0, t1;
    fe_cswap(p[X2], p[X3], digit);
    fe_cswap(p[Z2], p[Z3], digit);
    fe_sub(t0, p[X3], p[Z3]);
    fe_sub(t1, p[X2], p[Z2]);
    fe_add(p[X2], p[X2], p[Z2]);
    fe_add(p[Z2], p[X3], p[Z3]);
    fe_mul(p[Z3], t0, p[X2]);
    fe_mul(p[Z2], p[Z2], t1);
    fe_mul(t0, t1, t1);
    fe_mul(t1, p[X2], p[X2]);
    fe_add(p[X3], p[Z3], p[Z2]);
    fe_sub(p[Z2], p[Z3], p[Z2]);
    fe_mul(p[X2], t1, t0);
    fe_sub(t1, t1, t0);
    fe_mul(p[Z2], p[Z2], p[Z2]);
    fe_mul(p[Z3], t1, a24);
    fe_mul(p[X3], p[X3], p[X3]);
    fe_add(t0, t0, p[Z3]);
    fe_mul(p[Z3], x1, p[Z2]);
    fe_mul(p[Z2], t1, t0);
    fe_cswap(p[X2], p[X3], digit);
    fe_cswap(p[Z2], p[Z3], digit);
    WIPE_BUFFER(t0);
    WIPE_BUFFER(t1);
}

// x = y^(2^times) * z
static void raise(fe x, const fe y, uint8_t times, const fe z)
{
    fe power;
    fe_copy(power, y);
    while (times-- > 0)
        fe_mul(power, power, power);
    fe_mul(x, power, z);
    WIPE_BUFFER(power);
}

// 1 / x = x^(p - 2) = x^(2^255 - 21). A power of 2^n - 1 is n ones.
static void invert(fe x)
{
    fe x11, ones5, a, b;
    raise(a, x, 3, x);            // 9
    raise(x11, x, 1, a);          // 11
    raise(ones5, x11, 1, a);      // 31
    raise(a, ones5, 5, ones5);    // 10 ones
    raise(b, a, 10, a);           // 20
    raise(b, b, 20, b);
    raise(a, b, 10, a);    // 50
    raise(b, a, 50, a);    // 100
    raise(b, b, 100, b);
    raise(a, b, 50, a);    // 250
    raise(x, a, 5, x11);
    WIPE_BUFFER(a);
    WIPE_BUFFER(b);
    WIPE_BUFFER(ones5);
    WIPE_BUFFER(x11);
}

bool whit_x25519_step(struct whit_ladder *ladder, uint8_t result[32], const uint8_t secret[32], const uint8_t *point)
{
    static const fe generator = {9};
    fe p[4], x1;
    bool last = ladder->left == 0;
    for (uint8_t i = 0; i < 4; i++)
        fe_frombytes(p[i], ladder->at[i]);
    fe_copy(x1, generator);
    if (point != NULL)
        fe_frombytes(x1, point);
    for (uint8_t cnt = SLICE; cnt != 0 && ladder->left != 0; cnt--) {
        uint8_t at = --ladder->left;    // the secret's digits as section 5 has them: 254 is set, 0 to 2 are not
        int digit = at == 254 ? 1 : at < 3 ? 0 : secret[at >> 3] >> (at & 7) & 1;
        ladder_step(p, x1, digit);
    }
    if (last) {
        invert(p[Z2]);
        fe_mul(p[X2], p[X2], p[Z2]);
        fe_tobytes(result, p[X2]);
        whit_wipe(ladder, sizeof *ladder);
    } else {
        for (uint8_t i = 0; i < 4; i++)
            fe_tobytes(ladder->at[i], p[i]);
    }
    whit_wipe(p, sizeof p);
    return last;
}

static void at_once(uint8_t result[32], const uint8_t secret[32], const uint8_t *point)
{
    struct whit_ladder ladder;
    whit_x25519_begin(&ladder, point);
    while (!whit_x25519_step(&ladder, result, secret, point)) {
    }
}

void whit_x25519_public(uint8_t point[32], const uint8_t secret[32])
{
    at_once(point, secret, NULL);
}

bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32])
{
    static const uint8_t zero[32];
    at_once(shared, secret, point);
    return !whit_equal(shared, zero, sizeof zero);
}

// The key stream of RFC 8439 (2.4): the state of a block, and the block. A whole record has one of these, wiped at the
// end.
struct stream {
    uint32_t state[16];
    union {
        uint32_t words[16];
        uint8_t octets[64];
    };
};

static void stream_begin(struct stream *stream, const struct whit_aead_key *key, uint32_t block)
{
    load32_le_buf(stream->state, chacha20_constant, 4);
    load32_le_buf(stream->state + 4, key->key, 8);
    stream->state[12] = block;
    load32_le_buf(stream->state + 13, key->nonce, 3);
}

static void stream_next(struct stream *stream)
{
    chacha20_rounds(stream->words, stream->state);
    for (uint8_t i = 0; i < 16; i++)
        store32_le(stream->octets + 4 * i, stream->words[i] + stream->state[i]);
    stream->state[12]++;
}

// The sum as it was left. Its key is the beginning of the key stream (RFC 8439, 2.6).
static void aead_resume(crypto_poly1305_ctx *sum, const struct whit_aead *aead, const struct whit_aead_key *key)
{
    struct stream stream;
    stream_begin(&stream, key, 0);
    stream_next(&stream);
    crypto_poly1305_init(sum, stream.octets);
    memcpy(sum->h, aead->sum, sizeof sum->h);
    memcpy(sum->c, aead->block, sizeof sum->c);
    sum->c_idx = aead->len % sizeof sum->c;
    whit_wipe(&stream, sizeof stream);
}

static void aead_leave(struct whit_aead *aead, crypto_poly1305_ctx *sum)
{
    memcpy(aead->sum, sum->h, sizeof aead->sum);
    memcpy(aead->block, sum->c, sizeof aead->block);
    whit_wipe(sum, sizeof *sum);
}

static void aead_pad(crypto_poly1305_ctx *sum, uint16_t len)
{
    static const uint8_t zero[16];
    crypto_poly1305_update(sum, zero, -len & 15);
}

void whit_aead_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len)
{
    crypto_poly1305_ctx sum;
    memset(aead, 0, sizeof *aead);
    aead->data_len = data_len;
    aead_resume(&sum, aead, key);
    crypto_poly1305_update(&sum, data, data_len);
    aead_pad(&sum, data_len);
    aead_leave(aead, &sum);
}

// Adds `from` where it is ciphertext, `to` where that is.
static void aead_text(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                      uint16_t len, bool seal)
{
    crypto_poly1305_ctx sum;
    struct stream stream;
    aead_resume(&sum, aead, key);
    stream_begin(&stream, key, 1 + aead->len / (uint32_t)sizeof stream.octets);
    while (len > 0) {
        uint8_t at = aead->len % sizeof stream.octets, part = sizeof stream.octets - at;
        if (part > len)
            part = (uint8_t)len;
        stream_next(&stream);
        if (!seal)
            crypto_poly1305_update(&sum, from, part);
        for (uint8_t i = 0; i < part; i++)
            to[i] = from[i] ^ stream.octets[at + i];
        if (seal)
            crypto_poly1305_update(&sum, to, part);
        aead->len += part;
        to += part;
        from += part;
        len -= part;
    }
    whit_wipe(&stream, sizeof stream);
    aead_leave(aead, &sum);
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

void whit_aead_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    crypto_poly1305_ctx sum;
    uint8_t lengths[16] = {(uint8_t)aead->data_len, (uint8_t)(aead->data_len >> 8), [8] = (uint8_t)aead->len,
                           (uint8_t)(aead->len >> 8)};
    aead_resume(&sum, aead, key);
    aead_pad(&sum, aead->len);
    crypto_poly1305_update(&sum, lengths, sizeof lengths);
    crypto_poly1305_final(&sum, tag);
}
