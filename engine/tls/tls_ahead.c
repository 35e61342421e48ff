// SPDX-License-Identifier: MIT
#include "tls_ahead.h"

#include <string.h>

#include "tls_secret.h"
#include "whit/crypto.h"
#include "whit/port.h"

enum doing { DOING_NOTHING, DOING_PAIR, DOING_SHARED, DOING_NONCE, DOING_NONCE_OF_DIGEST, SHARED_IS_THERE };

static struct {
    uint8_t doing;    // enum doing: whose numbers stand in `numbers`
    bool has_pair, has_nonce;
    uint8_t secret[32], share[32];    // the pair; the secret becomes what is shared
    uint32_t inverse[8], r[8];        // the nonce
    union {
        struct whit_ladder ladder;
        struct whit_p256 nonce;
    } numbers;
} tls_ahead;

void ahead_start(void) { whit_wipe(&tls_ahead, sizeof tls_ahead); }

bool ahead_amid_nonce(void) { return tls_ahead.doing == DOING_NONCE; }

static void drop_numbers(void)
{
    whit_wipe(&tls_ahead.numbers, sizeof tls_ahead.numbers);
    tls_ahead.doing = DOING_NOTHING;
}

void ahead_no_nonce(void)
{
    if (tls_ahead.doing == DOING_NONCE)
        drop_numbers();
}

void ahead_give_up(void)
{
    if (tls_ahead.doing == DOING_PAIR || tls_ahead.doing == DOING_NONCE)
        return;
    if (tls_ahead.doing != DOING_NOTHING && tls_ahead.doing != DOING_NONCE_OF_DIGEST) {
        tls_ahead.has_pair = false;
        whit_wipe(tls_ahead.secret, sizeof tls_ahead.secret);
    }
    drop_numbers();
}

enum ahead ahead_pair(void)
{
    if (tls_ahead.has_pair)
        return AHEAD_READY;
    if (tls_ahead.doing != DOING_PAIR) {
        tls_ephemeral(tls_ahead.secret);
        whit_x25519_begin(&tls_ahead.numbers.ladder, NULL);
        tls_ahead.doing = DOING_PAIR;
    }
    if (whit_x25519_step(&tls_ahead.numbers.ladder, tls_ahead.share, tls_ahead.secret, NULL)) {
        tls_ahead.doing = DOING_NOTHING;
        tls_ahead.has_pair = true;
    }
    return AHEAD_MORE;
}

enum ahead ahead_shared(const uint8_t point[32])
{
    if (tls_ahead.doing == SHARED_IS_THERE)
        return AHEAD_READY;
    if (tls_ahead.doing != DOING_SHARED) {
        whit_x25519_begin(&tls_ahead.numbers.ladder, point);
        tls_ahead.doing = DOING_SHARED;
    }
    if (whit_x25519_step(&tls_ahead.numbers.ladder, tls_ahead.secret, tls_ahead.secret, point))
        tls_ahead.doing = SHARED_IS_THERE;
    return AHEAD_MORE;
}

bool ahead_take(uint8_t share[32], uint8_t shared[32])
{
    memcpy(share, tls_ahead.share, 32);
    memcpy(shared, tls_ahead.secret, 32);
    ahead_give_up();
#if defined(WHIT_METER)
    whit_meter_once(share);
#endif
    return !whit_equal(shared, tls_zero, 32);
}

static bool nonce_begin(const uint8_t *digest)
{
    uint8_t key[32], input[32];
    if (digest == NULL)
        tls_ephemeral(input);
    whit_tls_key(key);
    bool begun = whit_p256_begin(&tls_ahead.numbers.nonce, key, digest != NULL ? digest : input);
    whit_wipe(key, sizeof key);
    whit_wipe(input, sizeof input);
    tls_ahead.doing = begun ? digest != NULL ? DOING_NONCE_OF_DIGEST : DOING_NONCE : DOING_NOTHING;
    return begun;
}

enum ahead ahead_nonce(const uint8_t *digest)
{
    if (tls_ahead.has_nonce)
        return AHEAD_READY;
    if (tls_ahead.doing != DOING_NONCE && tls_ahead.doing != DOING_NONCE_OF_DIGEST)
        return nonce_begin(digest) ? AHEAD_MORE : AHEAD_NONE;
    if (whit_p256_step(&tls_ahead.numbers.nonce)) {
        memcpy(tls_ahead.inverse, tls_ahead.numbers.nonce.k, sizeof tls_ahead.inverse);
        memcpy(tls_ahead.r, tls_ahead.numbers.nonce.x, sizeof tls_ahead.r);
        tls_ahead.has_nonce = true;
        drop_numbers();
    }
    return AHEAD_MORE;
}

bool ahead_sign(uint8_t signature[64], const uint8_t digest[32])
{
    uint8_t key[32];
    whit_tls_key(key);
    bool done = whit_p256_finish(signature, tls_ahead.inverse, tls_ahead.r, key, digest);
    whit_wipe(key, sizeof key);
    whit_wipe(tls_ahead.inverse, sizeof tls_ahead.inverse);
    tls_ahead.has_nonce = false;
#if defined(WHIT_METER)
    whit_meter_once((const uint8_t *)tls_ahead.r);
#endif
    return done;
}
