// SPDX-License-Identifier: MIT
// Metered builds: the meter of nonces. It stores a hash of the text that was sealed by each key and nonce. Tests then
// see two texts with one nonce (DESIGN.md, invariant 10).
#include "nonces.h"

#include <stdlib.h>
#include <string.h>

#include "whit/crypto.h"

#define SEALED_MAX 65536u
static struct {
    uint8_t of[44], text[32];
} sealed[SEALED_MAX];

// Shares and r of signatures.
#define ONCE_MAX 8192u
static uint8_t used[ONCE_MAX][32];
static uint32_t used_cnt;

struct whit_nonces whit_nonces;

void whit_nonces_reset(void)
{
    memset(sealed, 0, sizeof sealed);
    memset(&whit_nonces, 0, sizeof whit_nonces);
    used_cnt = 0;
}

void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len)
{
    static const uint8_t none[44];
    struct whit_sha256 sha;
    uint8_t of[44], digest[32];
    uint32_t at = 0;
    memcpy(of, key, sizeof of);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, text, len);
    whit_sha256_end(&sha, digest);
    memcpy(&at, of, sizeof at);
    at ^= (uint32_t)of[43] << 8 | of[42];
    while (memcmp(sealed[at %= SEALED_MAX].of, of, sizeof of) != 0) {
        if (memcmp(sealed[at].of, none, sizeof none) == 0) {
            if (++whit_nonces.sealed_cnt >= SEALED_MAX)
                abort();
            memcpy(sealed[at].of, of, sizeof of);
            memcpy(sealed[at].text, digest, sizeof digest);
            return;
        }
        at++;
    }
    whit_nonces.repeated_cnt++;
    if (memcmp(sealed[at].text, digest, sizeof digest) != 0)
        whit_nonces.broken_cnt++;
}

void whit_meter_once(const uint8_t of[32])
{
    for (uint32_t i = 0; i < used_cnt && i < ONCE_MAX; i++)
        if (memcmp(used[i], of, sizeof used[i]) == 0)
            whit_nonces.broken_cnt++;
    memcpy(used[used_cnt++ % ONCE_MAX], of, sizeof used[0]);
}
