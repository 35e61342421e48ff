// SPDX-License-Identifier: MIT
// AES-128-GCM for processors of 64 bits: by their own instructions for AES and carry-less products where they have them, else by BearSSL's
// code without tables.
#define BR_ENABLE_INTRINSICS 1    // of the processor, where it says that it has them
#include <aes_ct64.c>
#include <aes_ct64_ctr.c>
#include <aes_ct64_enc.c>
#include <aes_x86ni.c>
#include <aes_x86ni_ctr.c>
#include <dec32le.c>
#include <enc32le.c>
#include <ghash_ctmul64.c>
#include <ghash_pclmul.c>

struct gcm_aes {
    br_aes_gen_ctr_keys keys;
};

#if defined(AEAD_PLAIN)    // as for a processor without them (tests/crypto)
#define OWN_AES() NULL
#define OWN_HASH() NULL
#else
#define OWN_AES() br_aes_x86ni_ctr_get_vtable()
#define OWN_HASH() br_ghash_pclmul_get()
#endif

static void gcm_aes_init(struct gcm_aes *aes, const uint8_t key[16])
{
    const br_block_ctr_class *own = OWN_AES();
    (own != NULL ? own : &br_aes_ct64_ctr_vtable)->init(&aes->keys.vtable, key, 16);
}

static void gcm_aes_run(const struct gcm_aes *aes, const uint8_t nonce[12], uint32_t block, uint8_t *octets, uint16_t len)
{
    aes->keys.vtable->run(&aes->keys.vtable, nonce, block, octets, len);
}

static void gcm_hash(void *sum, const uint8_t h[16], const uint8_t *octets, uint16_t len)
{
    br_ghash own = OWN_HASH();
    (own != NULL ? own : br_ghash_ctmul64)(sum, h, octets, len);
}

#include "../gcm_pieces.h"
