// SPDX-License-Identifier: MIT
// The contract of cryptography. ports/common/crypto holds it in plain C; a port whose machine computes some of it in
// hardware brings functions of its own. No function allocates, and none has a result that depends on the time it takes.
#ifndef WHIT_CRYPTO_H
#define WHIT_CRYPTO_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// SHA-256 (FIPS 180-4) of up to 2^29 octets. A copy of the struct goes on by itself.
struct whit_sha256 {
    uint32_t hash[8];
    uint32_t len;
    uint8_t block[64];    // the octets behind the last whole block
};
void whit_sha256_begin(struct whit_sha256 *sha);
void whit_sha256_add(struct whit_sha256 *sha, const void *octets, uint16_t len);
void whit_sha256_end(struct whit_sha256 *sha, uint8_t digest[32]);

// SHA-1 (FIPS 180-4), of the digests of WS-Security's UsernameToken and of nothing else.
struct whit_sha1 {
    uint32_t hash[5];
    uint32_t len;
    uint8_t block[64];    // the octets behind the last whole block
};
void whit_sha1_begin(struct whit_sha1 *sha);
void whit_sha1_add(struct whit_sha1 *sha, const void *octets, uint16_t len);
void whit_sha1_end(struct whit_sha1 *sha, uint8_t digest[20]);

// HMAC-SHA-256 (RFC 2104): what stands between begin and end is given by whit_sha256_add(). Keys have at most 64
// octets; the result may take the place of the key.
void whit_hmac_begin(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len);
void whit_hmac_end(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len, uint8_t mac[32]);

// HKDF (RFC 5869): extract, and the first `len` octets of expand, of which there are at most 32 here. `info` has at
// most 65535 octets.
void whit_hkdf_extract(uint8_t secret[32], const uint8_t *salt, uint8_t salt_len, const uint8_t *input,
                       uint16_t input_len);
void whit_hkdf_expand(uint8_t *to, uint8_t len, const uint8_t secret[32], const uint8_t *info, uint16_t info_len);

// X25519 (RFC 7748), all at once, or in slices: a step takes at most some 400 000 cycles of a Cortex-M3, and is the
// last one when it returns true. Each step is given the same secret and point; NULL: the generator. The result is zero
// where the peer's point has a small order (section 6.1), and whit_x25519() is false then. Between two steps the struct
// is kept, which is as secret as the result.
struct whit_ladder {
    uint8_t at[4][32];    // X and Z of two points
    uint8_t left;         // digits of the secret
};
void whit_x25519_begin(struct whit_ladder *ladder, const uint8_t *point);
bool whit_x25519_step(struct whit_ladder *ladder, uint8_t result[32], const uint8_t secret[32], const uint8_t *point);
void whit_x25519_public(uint8_t point[32], const uint8_t secret[32]);
bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32]);

// ECDSA on P-256 (FIPS 186-5), of a digest of 32 octets; both halves of the signature are big-endian. In constant time.
// The nonce is made of the key and an input (RFC 6979): of the digest, so that no entropy is asked for, or ahead, of 32
// octets that nobody can foretell and that never come again. It is computed in slices as above, and finishes one
// signature, no other. False: the key is not a scalar of the group.
struct whit_p256 {
    uint32_t x[8];    // when it is done: r
    uint32_t y[8], z[8];
    uint32_t k[8];    // when it is done: its inverse
    uint16_t step;
};
bool whit_p256_begin(struct whit_p256 *nonce, const uint8_t key[32], const uint8_t input[32]);
bool whit_p256_step(struct whit_p256 *nonce);
bool whit_p256_finish(uint8_t signature[64], const uint32_t inverse[8], const uint32_t r[8], const uint8_t key[32],
                      const uint8_t digest[32]);
bool whit_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32]);    // all at once

// Whether a signature is that of the key whose point this is, both coordinates big-endian; nothing of it is a secret.
// In slices as above: `begin` says false where the signature or the point cannot be one, `step` true when it has told
// `holds`, and is not called again then.
struct whit_p256_check {
    uint32_t x[8], y[8], z[8];
    uint32_t u[2][8];
    uint32_t point[2][8];
    uint32_t r[8];
    uint16_t step;
};
bool whit_p256_check_begin(struct whit_p256_check *check, const uint8_t signature[64], const uint8_t point[64],
                           const uint8_t digest[32]);
bool whit_p256_check_step(struct whit_p256_check *check, bool *holds);
bool whit_p256_verify(const uint8_t signature[64], const uint8_t point[64], const uint8_t digest[32]);

// Whether a signature is that of a key of RSA-2048 with the exponent 65537: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017),
// of a digest. In slices as above, of which each is one multiplication. Numbers are words, the lowest first; a key
// stands in flash, and is not checked here.
#define WHIT_RSA_LEN 256
#define WHIT_RSA_WORDS 64
struct whit_rsa_key {
    uint32_t modulus[WHIT_RSA_WORDS];
    uint32_t square[WHIT_RSA_WORDS];    // 2^4096 modulo the modulus
    uint32_t inverse;                   // -1 / modulus modulo 2^32
};
struct whit_rsa_check {
    uint32_t signature[WHIT_RSA_WORDS];
    uint32_t power[2][WHIT_RSA_WORDS];
    uint8_t step;
};
bool whit_rsa_check_begin(struct whit_rsa_check *check, const uint8_t signature[WHIT_RSA_LEN],
                          const struct whit_rsa_key *key);
bool whit_rsa_check_step(struct whit_rsa_check *check, const struct whit_rsa_key *key, const uint8_t digest[32],
                         bool *holds);
// all at once
bool whit_rsa_verify(const uint8_t signature[WHIT_RSA_LEN], const struct whit_rsa_key *key, const uint8_t digest[32]);

// ChaCha20-Poly1305 (RFC 8439) of up to 65535 octets, piece by piece, in place if wanted. Between two calls only the
// struct is kept: it is bound to the key by what is passed, and has no octet of it. A machine with room may keep more,
// of one key and nonce, up to the end.
struct whit_aead_key {
    uint8_t key[32];
    uint8_t nonce[12];
};
struct whit_aead {
    uint32_t sum[5];      // of Poly1305; of GHASH four of them
    uint8_t block[16];    // ciphertext that is not yet in the sum: len % 16 octets
    uint16_t len;         // octets of the text so far
    uint16_t data_len;
};
void whit_aead_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len);
void whit_aead_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len);
void whit_aead_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len);
void whit_aead_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16]);

// AES-128-GCM (NIST SP 800-38D) of up to 65535 octets, by the same structs: of the key there are 16 octets. Only images
// with https.aes = true have it.
void whit_gcm_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len);
void whit_gcm_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len);
void whit_gcm_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len);
void whit_gcm_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16]);
// this processor has instructions for AES: a client's order decides. Else clients without ChaCha20 get AES
bool whit_gcm_is_fast(void);

// Whether two runs of octets are the same, in a time that depends on their length only.
bool whit_equal(const uint8_t *one, const uint8_t *other, uint8_t len);

// Overwrites a secret that is not read any more; the compiler keeps it.
void whit_wipe(void *secret, uint16_t len);

#ifdef __cplusplus
}
#endif

#endif
