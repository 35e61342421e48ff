// SPDX-License-Identifier: MIT
// X25519 and ChaCha20-Poly1305 by Monocypher (tools/whit/setup/libraries.py), as a part of this unit: what it does not call is not in the
// image.
#include <string.h>

#include "whit/crypto.h"

#include "monocypher.c"

void whit_x25519_public(uint8_t point[32], const uint8_t secret[32]) { crypto_x25519_public_key(point, secret); }

bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32])
{
    static const uint8_t zero[32];
    crypto_x25519(shared, secret, point);
    return !whit_equal(shared, zero, sizeof zero);
}

// The sum as it was left. Its key is the beginning of the key stream (RFC 8439, 2.6).
static void aead_resume(crypto_poly1305_ctx *sum, const struct whit_aead *aead, const struct whit_aead_key *key)
{
    uint8_t stream[64];
    crypto_chacha20_ietf(stream, NULL, sizeof stream, key->key, key->nonce, 0);
    crypto_poly1305_init(sum, stream);
    memcpy(sum->h, aead->sum, sizeof sum->h);
    memcpy(sum->c, aead->block, sizeof sum->c);
    sum->c_idx = aead->len % sizeof sum->c;
    whit_wipe(stream, sizeof stream);
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
static void aead_text(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from, uint16_t len, bool seal)
{
    crypto_poly1305_ctx sum;
    aead_resume(&sum, aead, key);
    while (len > 0) {
        uint8_t stream[64], at = aead->len % sizeof stream, part = sizeof stream - at;
        if (part > len)
            part = (uint8_t)len;
        crypto_chacha20_ietf(stream, NULL, sizeof stream, key->key, key->nonce, 1 + aead->len / (uint32_t)sizeof stream);
        if (!seal)
            crypto_poly1305_update(&sum, from, part);
        for (uint8_t i = 0; i < part; i++)
            to[i] = from[i] ^ stream[at + i];
        if (seal)
            crypto_poly1305_update(&sum, to, part);
        aead->len += part;
        to += part;
        from += part;
        len -= part;
        whit_wipe(stream, sizeof stream);
    }
    aead_leave(aead, &sum);
}

void whit_aead_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from, uint16_t len)
{
    aead_text(aead, key, to, from, len, true);
}

void whit_aead_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from, uint16_t len)
{
    aead_text(aead, key, to, from, len, false);
}

void whit_aead_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    crypto_poly1305_ctx sum;
    uint8_t lengths[16] = {(uint8_t)aead->data_len, (uint8_t)(aead->data_len >> 8), [8] = (uint8_t)aead->len, (uint8_t)(aead->len >> 8)};
    aead_resume(&sum, aead, key);
    aead_pad(&sum, aead->len);
    crypto_poly1305_update(&sum, lengths, sizeof lengths);
    crypto_poly1305_final(&sum, tag);
}
