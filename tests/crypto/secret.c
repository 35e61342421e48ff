// SPDX-License-Identifier: MIT
// Secrets that are undefined for valgrind: it reports each branch and each address that depends on one. Values that
// become public are declared so. The argument is the name of the function to run; "leak" shows that valgrind reports.
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "whit/crypto.h"

static uint8_t secret[32], public[64] = {9}, out[64];

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    struct whit_aead_key key = {{0}, {0}};
    struct whit_aead aead;
    struct whit_sha256 sha;
    for (int i = 0; i < 32; i++)
        key.key[i] = secret[i] = (uint8_t)(i * 37 + 11);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof secret);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key.key, sizeof key.key);
    if (strcmp(what, "p256_sign") == 0) {
        (void)whit_p256_sign(out, secret, public);
    } else if (strcmp(what, "x25519") == 0) {
        whit_x25519_public(out, secret);
        (void)VALGRIND_MAKE_MEM_DEFINED(out, 32);
        bool good = whit_x25519(out, secret, public);
        (void)VALGRIND_MAKE_MEM_DEFINED(&good, sizeof good);    // an alert reveals it to everybody
        out[0] ^= good;
    } else if (strcmp(what, "hmac") == 0) {
        whit_hmac_begin(&sha, secret, 32);
        whit_sha256_add(&sha, secret, 32);
        whit_hmac_end(&sha, secret, 32, out);
        whit_hkdf_extract(out, secret, 32, secret, 32);
        whit_hkdf_expand(out, 32, secret, secret, 32);
    } else if (strcmp(what, "aead") == 0) {
        whit_aead_begin(&aead, &key, public, 5);
        whit_aead_seal(&aead, &key, out, secret, 32);
        whit_aead_open(&aead, &key, out, secret, 32);
        whit_aead_end(&aead, &key, out);
        bool same = whit_equal(out, secret, 16);
        (void)VALGRIND_MAKE_MEM_DEFINED(&same, sizeof same);
        out[0] ^= same;
    } else if (strcmp(what, "gcm") == 0) {
        whit_gcm_begin(&aead, &key, public, 5);
        whit_gcm_seal(&aead, &key, out, secret, 32);
        whit_gcm_open(&aead, &key, out, secret, 32);
        whit_gcm_end(&aead, &key, out);
        bool same = whit_equal(out, secret, 16);
        (void)VALGRIND_MAKE_MEM_DEFINED(&same, sizeof same);
        out[0] ^= same;
    } else if (strcmp(what, "leak") == 0) {
        out[0] = secret[0] == 11 ? 1 : public[secret[1] & 63];
    } else {
        return 2;
    }
    (void)VALGRIND_MAKE_MEM_DEFINED(out, sizeof out);
    for (unsigned i = 0; i < sizeof out; i++)
        printf("%02x", out[i]);
    return 0;
}
