// SPDX-License-Identifier: MIT
#include <string.h>

#include "internal.h"
#include "../core/octets.h"
#include "whit/crypto.h"
#include "whit/port.h"

static void early_start(void);    // no hello came before
static void ahead_start(void);    // with nothing

static const char tls_labels[][13] WHIT_FLASH = {
    "derived",    "c e traffic", "c hs traffic", "s hs traffic", "c ap traffic", "s ap traffic", "res master",
    "res binder", "resumption",  "finished",     "key",          "iv",           "traffic upd",
};

const uint8_t tls_zero[32];

// Secrets of this start. `pairs` advances with each key pair by a one-way function: reading it reveals no earlier key.
static struct {
    uint8_t pairs[32], tickets[32];
    struct {
        uint8_t of[8];               // the beginning of the secret whose key it is
        struct whit_aead_key key;    // key of record number 0
    } kept[WHIT_TLS_KEYS];           // by the first octets of the secret
} tls_device;

#define KEY_KEPT(secret) tls_device.kept[TLS_FAST ? load16_be(secret) % WHIT_TLS_KEYS : 0]

void tls_start(void)
{
    whit_wipe(&tls_device, sizeof tls_device);
    whit_port_entropy(tls_device.pairs, sizeof tls_device.pairs);
    whit_port_entropy(tls_device.tickets, sizeof tls_device.tickets);
    ahead_start();
    if (WHIT_HTTPS_EARLY)
        early_start();
}

void tls_expand(uint8_t *to, uint8_t len, const uint8_t *secret, enum tls_label label, const uint8_t *context,
                uint8_t context_len)
{
    uint8_t info[3 + 6 + sizeof tls_labels[0] + 1 + 32], *at = info + 9;
    memcpy(info, (const uint8_t[]){0, len, 0, 't', 'l', 's', '1', '3', ' '}, 9);
    for (const char *from = tls_labels[label]; (*at = whit_flash_u8(from)) != 0; from++)
        at++;
    info[2] = (uint8_t)(at - info - 3);
    *at++ = context_len;
    if (context_len > 0)
        memcpy(at, context, context_len);
    whit_hkdf_expand(to, len, secret, info, (uint16_t)(at - info + context_len));
}

void tls_hash_so_far(uint8_t to[32], const struct whit_sha256 *sha)
{
    struct whit_sha256 copy = *sha;
    whit_sha256_end(&copy, to);
}

void tls_hash_of_nothing(uint8_t to[32])
{
    struct whit_sha256 sha;
    whit_sha256_begin(&sha);
    whit_sha256_end(&sha, to);
}

void tls_stage(uint8_t to[32], const uint8_t *secret, const uint8_t *added)
{
    uint8_t derived[32];
    tls_hash_of_nothing(derived);
    tls_expand(derived, sizeof derived, secret, LABEL_DERIVED, derived, sizeof derived);
    whit_hkdf_extract(to, derived, sizeof derived, added, 32);
    whit_wipe(derived, sizeof derived);
}

void tls_finished(uint8_t to[32], const uint8_t *base, const uint8_t *hash)
{
    uint8_t key[32];
    tls_expand(key, sizeof key, base, LABEL_FINISHED, NULL, 0);
    whit_hkdf_extract(to, key, sizeof key, hash, 32);
    whit_wipe(key, sizeof key);
}

void tls_record_key(struct whit_aead_key *to, const uint8_t *secret, uint32_t seq, bool aes)
{
    if (!whit_equal(KEY_KEPT(secret).of, secret, sizeof KEY_KEPT(secret).of)) {
        memcpy(KEY_KEPT(secret).of, secret, sizeof KEY_KEPT(secret).of);
        if (WHIT_HTTPS_AES)
            memset(KEY_KEPT(secret).key.key, 0, sizeof KEY_KEPT(secret).key.key);
        tls_expand(KEY_KEPT(secret).key.key, WHIT_HTTPS_AES && aes ? 16 : 32, secret, LABEL_KEY, NULL, 0);
        tls_expand(KEY_KEPT(secret).key.nonce, 12, secret, LABEL_IV, NULL, 0);
    }
    *to = KEY_KEPT(secret).key;
    for (uint8_t i = 0; i < 4; i++)
        to->nonce[11 - i] ^= (uint8_t)(seq >> 8 * i);
}

void tls_forget_key(const uint8_t *secret)
{
    whit_wipe(&KEY_KEPT(secret), sizeof tls_device.kept[0]);
}

void tls_forget(struct tls *tls)
{
    if (TLS_FAST && tls->kept.phase == TLS_CLOSED) {
        tls_forget_key(tls->kept.client);
        tls_forget_key(tls->kept.server);
    }
    if (TLS_FAST && !tls->kept.is_cut) {
        tls_forget_key(tls->flight.client_secret);
        tls_forget_key(tls->flight.server_secret);
    }
    if (tls->kept.phase == TLS_CLOSED)
        whit_wipe(tls->kept.client, 2 * TLS_SECRET);
    if (!tls->kept.is_cut)
        whit_wipe(&tls->flight, sizeof tls->flight);    // and the rest of the hello
    tls->kept.is_cut = true;
    if (!TLS_FAST)
        whit_wipe(&tls_device.kept, sizeof tls_device.kept);
}

static void tls_ephemeral(uint8_t to[32])
{
    static const uint8_t marks[] = {'E', 'N'};
    whit_hkdf_extract(to, tls_device.pairs, sizeof tls_device.pairs, marks, 1);
    whit_hkdf_extract(tls_device.pairs, tls_device.pairs, sizeof tls_device.pairs, marks + 1, 1);
}

// Makes key and nonce of a ticket: nonce 12, sealed {psk 32, time 4}, tag 16. The nonce is a hash of the unique share.
static void ticket_key(struct whit_aead_key *to, const uint8_t *nonce)
{
    memcpy(to->key, tls_device.tickets, sizeof to->key);
    memcpy(to->nonce, nonce, sizeof to->nonce);
}

// Early data goes by protocol and suite of the connection before (section 4.2.10), so that its ticket is good for no
// other.
static void ticket_begin(struct whit_aead *aead, const struct whit_aead_key *key, const struct tls *tls)
{
    const uint8_t by = (uint8_t)(tls->has_alpn | tls_by_aes(tls) << 1);
    whit_aead_begin(aead, key, &by, WHIT_HTTPS_EARLY);
}

uint32_t tls_age_add(const uint8_t ticket[TLS_TICKET])
{
    uint8_t hash[32];
    whit_hkdf_extract(hash, tls_device.tickets, sizeof tls_device.tickets, ticket, 12);
    return load32_be(hash);
}

void tls_seal_ticket(uint8_t to[TLS_TICKET], const struct tls *tls)
{
    const struct tls_flight *flight = &tls->flight;
    struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t hash[32];
    whit_hkdf_extract(hash, tls_device.tickets, sizeof tls_device.tickets, flight->share, 32);
    memcpy(to, hash, sizeof key.nonce);
    memcpy(to + 12, flight->psk, 32);
    store32_be(to + 44, flight->ticket_s);
    ticket_key(&key, to);
    ticket_begin(&aead, &key, tls);
    whit_aead_seal(&aead, &key, to + 12, to + 12, TLS_TICKET_TEXT);
    whit_aead_end(&aead, &key, to + 48);
    whit_wipe(&key, sizeof key);
}

bool tls_open_ticket(uint8_t text[TLS_TICKET_TEXT], const uint8_t ticket[TLS_TICKET], const struct tls *tls,
                     uint32_t now_s)
{
    struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t tag[16];
    ticket_key(&key, ticket);
    ticket_begin(&aead, &key, tls);
    whit_aead_open(&aead, &key, text, ticket + 12, TLS_TICKET_TEXT);
    whit_aead_end(&aead, &key, tag);
    bool good = whit_equal(tag, ticket + 48, sizeof tag) && now_s - load32_be(text + 32) < TLS_TICKET_S;
    if (!good)
        whit_wipe(text, TLS_TICKET_TEXT);
    whit_wipe(&key, sizeof key);
    return good;
}

// ------------------------------------------------------------------------------------------- computed ahead, in slices

enum doing { DOING_NOTHING, DOING_PAIR, DOING_SHARED, DOING_NONCE, DOING_NONCE_OF_DIGEST, SHARED_IS_THERE };

static struct {
    uint8_t doing;    // enum doing: owner of `numbers`
    bool has_pair, has_nonce;
    uint8_t secret[32], share[32];    // the pair; the secret becomes the shared one
    uint32_t inverse[8], r[8];        // the nonce
    union {
        struct whit_ladder ladder;
        struct whit_p256 nonce;
    } numbers;
} tls_ahead;

static void ahead_start(void)
{
    whit_wipe(&tls_ahead, sizeof tls_ahead);
}

bool ahead_amid_nonce(void)
{
    return tls_ahead.doing == DOING_NONCE;
}

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

// --------------------------------------------------------------------------------------------- early data once at most

// A hello is young if the age that the client gives for its ticket is about our own value (section 8.3). As long as it
// is, it is remembered (section 8.2), so that early data is read once at most. If there is no free place to remember
// it, its early data is not read. A restart invalidates tickets, so nothing is remembered for longer.

#define EARLY_AGE_S 10    // between both ages, at most

static struct {
    uint16_t mark;    // mark of the binder; 0: unused
    uint16_t when_s;
} early_seen[EARLY_SEEN];

static void early_start(void)
{
    memset(early_seen, 0, sizeof early_seen);
}

static bool is_young(uint32_t told_ms, uint32_t made_s, uint32_t now_s)
{
    return now_s - made_s - told_ms / 1000 + EARLY_AGE_S <= 2 * EARLY_AGE_S;
}

static bool is_new(const uint8_t binder[32], uint32_t now_s)
{
    uint16_t mark = load16_be(binder) | 1;
    uint16_t at = EARLY_SEEN;
    for (uint16_t i = 0; i < EARLY_SEEN; i++) {
        bool is_old = (uint16_t)(now_s - early_seen[i].when_s) > 2 * EARLY_AGE_S;
        if (early_seen[i].mark == 0 || is_old)
            at = i;
        else if (early_seen[i].mark == mark)
            return false;
    }
    if (at == EARLY_SEEN)
        return false;
    early_seen[at].mark = mark;
    early_seen[at].when_s = (uint16_t)now_s;
    return true;
}

bool early_accepts(const struct tls_hello *hello, uint32_t age_add, uint32_t made_s, uint32_t now_s)
{
    return is_young(load32_be(hello->ticket + TLS_TICKET) - age_add, made_s, now_s) && is_new(hello->binder, now_s);
}
