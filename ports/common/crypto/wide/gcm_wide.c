// SPDX-License-Identifier: MIT
// AES-128-GCM for processors of 64 bits: by their own instructions for AES and carry-less products where they have
// them, else by BearSSL's code without tables.
#define BR_ENABLE_INTRINSICS 1    // enables the processor's instructions, if it has them
#include <aes_ct64.c>
#include <aes_ct64_ctr.c>
#include <aes_ct64_enc.c>
#include <aes_x86ni.c>
#include <aes_x86ni_ctr.c>
#include <dec32le.c>
#include <enc32le.c>
#include <ghash_ctmul64.c>
#include <ghash_pclmul.c>

#include "whit/crypto.h"

struct gcm_aes {
    br_aes_gen_ctr_keys keys;
};

// Asked once, when the program starts: CPUID takes microseconds where a hypervisor answers it.
// tests define AEAD_PLAIN; so do processors without these instructions
#if defined(__x86_64__) && !defined(AEAD_PLAIN)
#define HAS_OWN() \
    (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul"))
#define OWN_AES (&br_aes_x86ni_ctr_vtable)
#define OWN_HASH br_ghash_pclmul
#else
#define HAS_OWN() false
#define OWN_AES (&br_aes_ct64_ctr_vtable)
#define OWN_HASH br_ghash_ctmul64
#endif

bool whit_gcm_is_fast(void)
{
    return HAS_OWN();
}

static void gcm_aes_init(struct gcm_aes *aes, const uint8_t key[16])
{
    (HAS_OWN() ? OWN_AES : &br_aes_ct64_ctr_vtable)->init(&aes->keys.vtable, key, 16);
}

static void gcm_aes_run(const struct gcm_aes *aes, const uint8_t nonce[12], uint32_t block, uint8_t *octets,
                        uint16_t len)
{
    aes->keys.vtable->run(&aes->keys.vtable, nonce, block, octets, len);
}

static void gcm_hash(void *sum, const uint8_t h[16], const uint8_t *octets, uint16_t len)
{
    (HAS_OWN() ? OWN_HASH : br_ghash_ctmul64)(sum, h, octets, len);
}

#include "../gcm_pieces.h"
