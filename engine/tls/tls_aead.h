// SPDX-License-Identifier: MIT
// Sealing and opening by the suite of a connection. An image of one suite has no choice.
#ifndef WHIT_TLS_AEAD_H
#define WHIT_TLS_AEAD_H

#include "tls.h"

static inline void aead_begin(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_begin(aead, key, data, len);
    else
        whit_aead_begin(aead, key, data, len);
}

static inline void aead_seal(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *text, uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_seal(aead, key, text, text, len);
    else
        whit_aead_seal(aead, key, text, text, len);
}

static inline void aead_open(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from, uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_open(aead, key, to, from, len);
    else
        whit_aead_open(aead, key, to, from, len);
}

static inline void aead_end(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_end(aead, key, tag);
    else
        whit_aead_end(aead, key, tag);
}

#endif
