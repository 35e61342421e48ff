// SPDX-License-Identifier: MIT
// The contract of cryptography. ports/common/crypto implements it in plain C. A port may bring its own functions, for
// instance for hardware. No function allocates memory. The run time of a function does not depend on secrets.
#ifndef WHIT_CRYPTO_H
#define WHIT_CRYPTO_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// SHA-256 (FIPS 180-4) of up to 2^29 bytes. A copy of the struct is an independent computation.
struct whit_sha256 {
    uint32_t hash[8];
    uint32_t len;
    uint8_t block[64];    // bytes after the last whole block
};
void whit_sha256_begin(struct whit_sha256 *sha);
void whit_sha256_add(struct whit_sha256 *sha, const void *octets, uint16_t len);
void whit_sha256_end(struct whit_sha256 *sha, uint8_t digest[32]);

// SHA-1 (FIPS 180-4), only for the digests of WS-Security's UsernameToken.
struct whit_sha1 {
    uint32_t hash[5];
    uint32_t len;
    uint8_t block[64];    // bytes after the last whole block
};
void whit_sha1_begin(struct whit_sha1 *sha);
void whit_sha1_add(struct whit_sha1 *sha, const void *octets, uint16_t len);
void whit_sha1_end(struct whit_sha1 *sha, uint8_t digest[20]);

// HMAC-SHA-256 (RFC 2104). Call whit_sha256_add() between begin and end. key_len: at most 64 bytes. `mac` may be the
// memory of the key.
void whit_hmac_begin(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len);
void whit_hmac_end(struct whit_sha256 *sha, const uint8_t *key, uint8_t key_len, uint8_t mac[32]);

// HKDF (RFC 5869): extract, and the first `len` bytes of expand. len: at most 32. info_len: at most 65535 bytes.
void whit_hkdf_extract(uint8_t secret[32], const uint8_t *salt, uint8_t salt_len, const uint8_t *input,
                       uint16_t input_len);
void whit_hkdf_expand(uint8_t *to, uint8_t len, const uint8_t secret[32], const uint8_t *info, uint16_t info_len);

// X25519 (RFC 7748), as one call or in slices. A step takes about 400 000 cycles of a Cortex-M3 at most. The last one
// returns true. Pass the same secret and point to each step; point NULL: the generator. The result is zero if the
// peer's point has a small order (section 6.1); whit_x25519() returns false then. Keep the struct between steps, and
// protect it like the result.
struct whit_ladder {
    uint8_t at[4][32];    // X and Z of two points
    uint8_t left;         // digits of the secret that are left
};
void whit_x25519_begin(struct whit_ladder *ladder, const uint8_t *point);
bool whit_x25519_step(struct whit_ladder *ladder, uint8_t result[32], const uint8_t secret[32], const uint8_t *point);
void whit_x25519_public(uint8_t point[32], const uint8_t secret[32]);
bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32]);

// ECDSA on P-256 (FIPS 186-5) in constant time. digest: 32 bytes. signature: r and s, both big-endian. The nonce is
// derived from the key and `input` (RFC 6979). input: the digest, which needs no entropy; or 32 unpredictable bytes
// that are used once, to compute the nonce ahead. The nonce is computed in slices, as above, and serves one signature.
// False: the key is not a scalar of the group.
struct whit_p256 {
    uint32_t x[8];    // after the last step: r
    uint32_t y[8], z[8];
    uint32_t k[8];    // after the last step: its inverse
    uint16_t step;
};
bool whit_p256_begin(struct whit_p256 *nonce, const uint8_t key[32], const uint8_t input[32]);
bool whit_p256_step(struct whit_p256 *nonce);
bool whit_p256_finish(uint8_t signature[64], const uint32_t inverse[8], const uint32_t r[8], const uint8_t key[32],
                      const uint8_t digest[32]);
bool whit_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32]);    // as one call

// Verify an ECDSA signature on P-256. point: the public key, both coordinates big-endian. No argument is secret.
// `begin` returns false if the signature or the point is out of range. `step` computes a slice, as above. When it
// returns true, `holds` is set; do not call it again.
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

// Verify an RSA signature: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017), RSA-2048, exponent 65537. digest: 32 bytes. Each
// slice is one multiplication. Numbers are arrays of words, the lowest word first. The key is in flash and is not
// checked.
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
// as one call
bool whit_rsa_verify(const uint8_t signature[WHIT_RSA_LEN], const struct whit_rsa_key *key, const uint8_t digest[32]);

// ChaCha20-Poly1305 (RFC 8439) of up to 65535 bytes, in pieces of any length. `to` may equal `from`. The struct does
// not contain the key: pass the same key to each call. A port may store more for one key and nonce, until the end.
struct whit_aead_key {
    uint8_t key[32];
    uint8_t nonce[12];
};
struct whit_aead {
    uint32_t sum[5];      // state of Poly1305; GHASH uses four words
    uint8_t block[16];    // ciphertext that is not in the sum yet: len % 16 bytes
    uint16_t len;         // bytes of the text so far
    uint16_t data_len;
};
void whit_aead_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len);
void whit_aead_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len);
void whit_aead_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                    uint16_t len);
void whit_aead_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16]);

// AES-128-GCM (NIST SP 800-38D) of up to 65535 bytes, with the same structs. It uses the first 16 bytes of the key.
// Only images with https.aes = true contain it.
void whit_gcm_begin(struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data, uint16_t data_len);
void whit_gcm_seal(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len);
void whit_gcm_open(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to, const uint8_t *from,
                   uint16_t len);
void whit_gcm_end(struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16]);
// True if the processor has instructions for AES. Then the client's order selects the cipher; else only clients without
// ChaCha20 get AES.
bool whit_gcm_is_fast(void);

// True if both arrays of `len` bytes are equal. The run time depends on the length only.
bool whit_equal(const uint8_t *one, const uint8_t *other, uint8_t len);

// Overwrites a secret; the compiler does not remove the call.
void whit_wipe(void *secret, uint16_t len);

#ifdef __cplusplus
}
#endif

#endif
