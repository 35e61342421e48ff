// SPDX-License-Identifier: MIT
// AES-128-GCM (NIST SP 800-38D) of pieces in any split. The file that includes this brings BearSSL's AES in counter
// mode and GHASH:
//   struct gcm_aes; gcm_aes_init(aes, key);
//   gcm_aes_run(aes, nonce, block, octets, len): adds the key stream from that block on
//   gcm_hash(sum, h, octets, len): with zeros up to a whole block
#ifndef WHIT_GCM_PIECES_H
#define WHIT_GCM_PIECES_H

#include <string.h>

#include "whit/crypto.h"

#define BLOCK 16
#define FIRST_BLOCK 2    // first counter of the text; 1 is for the tag

struct gcm {
    struct gcm_aes aes;
    uint8_t h[BLOCK];
};

static void gcm_init(struct gcm *gcm, const struct whit_aead_key *key)
{
    static const uint8_t zero[12];
    gcm_aes_init(&gcm->aes, key->key);
    memset(gcm->h, 0, BLOCK);
    gcm_aes_run(&gcm->aes, zero, 0, gcm->h, BLOCK);
}

static uint8_t filled(const struct whit_aead *aead)
{
    return aead->len % BLOCK;
}

// Ciphertext, of which the octets after the last whole block wait. `aead->len` is that before them.
static void gcm_add(struct whit_aead *aead, const struct gcm *gcm, const uint8_t *octets, uint16_t len)
{
    uint8_t fill = filled(aead);
    if (fill != 0) {
        uint8_t need = (uint8_t)(BLOCK - fill), more = len < need ? (uint8_t)len : need;
        memcpy(aead->block + fill, octets, more);
        octets += more;
        len = (uint16_t)(len - more);
        if (more < need)
            return;
        gcm_hash(aead->sum, gcm->h, aead->block, BLOCK);
    }
    uint16_t whole = len - len % BLOCK;
    gcm_hash(aead->sum, gcm->h, octets, whole);
    memcpy(aead->block, octets + whole, len - whole);
}

// Adds the key stream at the place where the text is.
static void gcm_crypt(const struct whit_aead *aead, const struct gcm *gcm, const uint8_t *nonce, uint8_t *to,
                      const uint8_t *from, uint16_t len)
{
    uint8_t fill = filled(aead), part = fill == 0 ? 0 : (uint8_t)(BLOCK - fill);
    uint32_t block = FIRST_BLOCK + aead->len / BLOCK;
    if (part > len)
        part = (uint8_t)len;
    if (part != 0) {
        uint8_t stream[BLOCK] = {0};
        gcm_aes_run(&gcm->aes, nonce, block++, stream, BLOCK);
        for (uint8_t i = 0; i < part; i++)
            to[i] = from[i] ^ stream[fill + i];
        whit_wipe(stream, sizeof stream);
    }
    memmove(to + part, from + part, len - part);
    gcm_aes_run(&gcm->aes, nonce, block, to + part, len - part);
}

void whit_gcm_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len)
{
    struct gcm gcm;
    gcm_init(&gcm, key);
    memset(aead, 0, sizeof *aead);
    aead->data_len = data_len;
    gcm_hash(aead->sum, gcm.h, data, data_len);
    whit_wipe(&gcm, sizeof gcm);
}

void whit_gcm_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len)
{
    struct gcm gcm;
    gcm_init(&gcm, key);
    gcm_crypt(aead, &gcm, key->nonce, to, from, len);
    gcm_add(aead, &gcm, to, len);
    aead->len = (uint16_t)(aead->len + len);
    whit_wipe(&gcm, sizeof gcm);
}

void whit_gcm_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len)
{
    struct gcm gcm;
    struct whit_aead before = *aead;
    gcm_init(&gcm, key);
    gcm_add(aead, &gcm, from, len);
    gcm_crypt(&before, &gcm, key->nonce, to, from, len);
    aead->len = (uint16_t)(aead->len + len);
    whit_wipe(&gcm, sizeof gcm);
}

void whit_gcm_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    struct gcm gcm;
    uint8_t lengths[BLOCK] = {0};
    uint32_t data_bits = 8 * (uint32_t)aead->data_len, bits = 8 * (uint32_t)aead->len;
    gcm_init(&gcm, key);
    gcm_hash(aead->sum, gcm.h, aead->block, filled(aead));
    for (uint8_t i = 0; i < 4; i++) {
        lengths[7 - i] = (uint8_t)(data_bits >> 8 * i);
        lengths[15 - i] = (uint8_t)(bits >> 8 * i);
    }
    gcm_hash(aead->sum, gcm.h, lengths, BLOCK);
    memcpy(tag, aead->sum, BLOCK);
    gcm_aes_run(&gcm.aes, key->nonce, 1, tag, BLOCK);
    whit_wipe(&gcm, sizeof gcm);
}

#endif
