// SPDX-License-Identifier: MIT
// AES-128-GCM by 32 bits: BearSSL's AES without tables, and multiplication in constant time.
#include <aes_ct.c>
#include <aes_ct_ctr.c>
#include <aes_ct_enc.c>
#include <dec32le.c>
#include <enc32le.c>
#include <ghash_ctmul32.c>

#include "whit/crypto.h"

struct gcm_aes {
    br_aes_ct_ctr_keys keys;
};

bool whit_gcm_is_fast(void)
{
    return false;
}

static void gcm_aes_init(struct gcm_aes *aes, const uint8_t key[16])
{
    br_aes_ct_ctr_init(&aes->keys, key, 16);
}

static void gcm_aes_run(const struct gcm_aes *aes, const uint8_t nonce[12], uint32_t block, uint8_t *octets,
                        uint16_t len)
{
    br_aes_ct_ctr_run(&aes->keys, nonce, block, octets, len);
}

static void gcm_hash(void *sum, const uint8_t h[16], const uint8_t *octets, uint16_t len)
{
    br_ghash_ctmul32(sum, h, octets, len);
}

#include "gcm_pieces.h"
