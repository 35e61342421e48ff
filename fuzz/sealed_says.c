// SPDX-License-Identifier: MIT
// Output of clients of the HTTPS port: hellos, early data, Finished, records.
#include "sealed.h"

#include <string.h>

#include "tls/internal.h"

enum seal_kind { SEAL_REQUEST, SEAL_REQUEST_CUT, SEAL_OCTETS, SEAL_UPDATE };

// Returns memory at the end of the client's stream; NULL: no room.
static uint8_t *grow(struct client *c, size_t len)
{
    uint32_t done = c->una - c->base;
    if (done > c->stream_len)
        done = c->stream_len;
    memmove(c->stream, c->stream + done, c->stream_len - done);
    c->stream_len = (uint16_t)(c->stream_len - done);
    c->base = c->una;
    if (len > sizeof c->stream - c->stream_len)
        return NULL;
    uint8_t *to = c->stream + c->stream_len;
    c->stream_len = (uint16_t)(c->stream_len + len);
    return to;
}

static uint8_t *put(uint8_t *to, const uint8_t *octets, size_t len)
{
    memcpy(to, octets, len);
    return to + len;
}
#define PUT(...) (to = put(to, (const uint8_t[]){__VA_ARGS__}, sizeof (uint8_t[]){__VA_ARGS__}))

static void bind(const struct peer *peer, uint8_t *binder, const uint8_t *message, size_t len)
{
    struct whit_sha256 sha;
    uint8_t early[32], base[32], hash[32];
    whit_hkdf_extract(early, NULL, 0, peer->psk, 32);
    tls_hash_of_nothing(hash);
    tls_expand(base, 32, early, LABEL_RES_BINDER, hash, 32);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, message, (uint16_t)len);
    whit_sha256_end(&sha, hash);
    tls_finished(binder, base, hash);
}

// Keeps octets of its first flight that may be sent again.
static void keep_first(struct peer *peer, const uint8_t *octets, size_t len)
{
    if (peer->finished || len > sizeof peer->first - peer->first_len)
        return;
    memcpy(peer->first + peer->first_len, octets, len);
    peer->first_len = (uint16_t)(peer->first_len + len);
}

// The secret of its early data, section 7.1.
static void begin_early(struct peer *peer, const uint8_t *message, size_t len)
{
    struct whit_sha256 sha;
    uint8_t early[32], hash[32];
    whit_hkdf_extract(early, NULL, 0, peer->psk, 32);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, message, (uint16_t)len);
    whit_sha256_end(&sha, hash);
    tls_expand(peer->early_secret, 32, early, LABEL_C_E, hash, 32);
    peer->early = true;
    peer->early_aes = peer->ticket_aes;
    peer->early_seq = 0;
}

static void say_again(struct client *c, struct peer *peer, const struct peer *of)
{
    uint8_t *place = of->first_len != 0 ? grow(c, of->first_len) : NULL;
    if (place == NULL)
        return;
    memcpy(place, of->first, of->first_len);
    if (peer->early)
        return;    // its own hello came first, and the server reads that
    memcpy(peer->early_secret, of->early_secret, sizeof of->early_secret);
    peer->early = of->early;
    peer->early_aes = of->early_aes;
    peer->early_seq = of->early_seq;
}

void say_hello(struct client *c, struct peer *peer, uint8_t form, uint8_t n)
{
    uint8_t record[500] = {22, 3, 1, 0, 0, 1, 0, 0, 0, 3, 3, n}, *to = record + 11 + 32, *extensions;
    if ((form & HELLO_AGAIN) != 0) {
        say_again(c, peer, &peers[n % SEALED_CLIENTS]);
        return;
    }
    if (WHIT_HTTPS_AES && (n & SUITES_AES) != 0)
        PUT(0, 0, 2, 0x13, 1, 1, 0, 0, 0);
    else if (WHIT_HTTPS_AES && (n & SUITES_BOTH) != 0)
        PUT(0, 0, 4, 0x13, 1, 0x13, 3, 1, 0, 0, 0);
    else
        PUT(0, 0, 2, 0x13, 3, 1, 0, 0, 0);
    extensions = to;
    PUT(0, 43, 0, 3, 2, 3, 4, 0, 10, 0, 4, 0, 2, 0, 0x1d, 0, 13, 0, 4, 0, 2, 4, 3, 0, 45, 0, 2, 1, 1);
    if ((form & HELLO_NO_SHARE) != 0) {
        PUT(0, 51, 0, 2, 0, 0);
    } else {
        PUT(0, 51, 0, 38, 0, 36, 0, 0x1d, 0, 32);
        memset(to, 9, 32);
        to += 32;
    }
    if ((form & HELLO_ALPN) != 0)
        PUT(0, 16, 0, 11, 0, 9, 8, 'h', 't', 't', 'p', '/', '1', '.', '1');
    if ((form & HELLO_WITH_LIMIT) != 0)
        PUT(0, 28, 0, 2, 0, 100);
    if ((form & HELLO_WITH_EARLY) != 0)
        PUT(0, 42, 0, 0);
    uint8_t *binder = NULL;
    if ((form & HELLO_WITH_TICKET) != 0 && peer->has_ticket) {
        PUT(0, 41, 0, 107, 0, 70, 0, 64);
        to = put(to, peer->ticket, TLS_TICKET);
        store32_be(to, peer->age_add + world.now_ms - peer->ticket_ms + ((form & HELLO_STALE) != 0 ? 30000 : 0));
        to += 4;
        binder = to;
        PUT(0, 33, 32);
        to += 32;
    }
    store16_be(extensions - 2, (uint16_t)(to - extensions));
    store16_be(record + 7, (uint16_t)(to - record - 9));
    store16_be(record + 3, (uint16_t)(to - record - 5));
    if (binder != NULL)
        bind(peer, binder + 3, record + 5, (size_t)(binder - record - 5));
    if (binder != NULL && (form & HELLO_FORGED) != 0)
        binder[3] ^= 1;
    if (binder != NULL && (form & HELLO_WITH_EARLY) != 0)
        begin_early(peer, record + 5, (size_t)(to - record - 5));
    uint8_t *place = grow(c, (size_t)(to - record));
    if (place == NULL)
        return;
    memcpy(place, record, (size_t)(to - record));
    peer->first_len = 0;
    keep_first(peer, record, (size_t)(to - record));
}

void sealed_key(struct whit_aead_key *key, bool aes, const uint8_t *secret, uint32_t seq)
{
    memset(key->key, 0, sizeof key->key);
    tls_expand(key->key, aes ? 16 : 32, secret, LABEL_KEY, NULL, 0);
    tls_expand(key->nonce, 12, secret, LABEL_IV, NULL, 0);
    for (uint8_t i = 0; i < 4; i++)
        key->nonce[11 - i] ^= (uint8_t)(seq >> 8 * i);
}

static void say_sealed(struct client *c, bool aes, const uint8_t *secret, uint32_t seq, const uint8_t *inner,
                       size_t len)
{
    struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t *record = grow(c, TLS_HEADER + len + TAG);
    if (record == NULL)
        return;
    memcpy(record, (const uint8_t[]){23, 3, 3}, 3);
    store16_be(record + 3, (uint16_t)(len + TAG));
    sealed_key(&key, aes, secret, seq);
    memcpy(record + TLS_HEADER, inner, len);
    aead_begin(aes, &aead, &key, record, TLS_HEADER);
    aead_seal(aes, &aead, &key, record + TLS_HEADER, (uint16_t)len);
    aead_end(aes, &aead, &key, record + TLS_HEADER + len);
}

static void say_early(struct client *c, struct peer *peer, const uint8_t *inner, size_t len)
{
    uint16_t before = c->stream_len;
    say_sealed(c, peer->early_aes, peer->early_secret, peer->early_seq++, inner, len);
    if (c->stream_len >= TLS_HEADER + len + TAG && c->stream_len != before)
        keep_first(peer, c->stream + c->stream_len - (TLS_HEADER + len + TAG), TLS_HEADER + len + TAG);
}

static void say_early_over(struct client *c, struct peer *peer)
{
    static const uint8_t over[] = {5, 0, 0, 0, 22};
    say_early(c, peer, over, sizeof over);
    peer->early_over = true;
}

void say_finished(struct client *c, struct peer *peer, uint8_t form)
{
    uint8_t finished[37] = {20, 0, 0, 32, [36] = 22};
    if (!peer->keyed || peer->finished)
        return;
    uint8_t *ccs = (form & FINISH_BARE) != 0 ? NULL : grow(c, 6);
    if (ccs != NULL)
        memcpy(ccs, (const uint8_t[]){20, 3, 3, 0, 1, 1}, 6);
    if (peer->accepted && !peer->early_over && (form & FINISH_AMID) == 0)
        say_early_over(c, peer);
    memcpy(finished + 4, peer->verify, 32);
    say_sealed(c, peer->aes, peer->handshake_client, 0, finished, sizeof finished);
    peer->finished = true;
    peer->tx_seq = 0;
}

// By its own key; of early data before its Finished.
static void say_inner(struct client *c, struct peer *peer, const uint8_t *inner, size_t len)
{
    if (peer->finished)
        say_sealed(c, peer->aes, peer->client, peer->tx_seq++, inner, len);
    else
        say_early(c, peer, inner, len);
}

void say_octets(struct client *c, struct peer *peer, const uint8_t *octets, size_t len, uint8_t padding)
{
    static uint8_t inner[REQUEST_MAX + 100];
    memcpy(inner, octets, len);
    inner[len] = 23;
    memset(inner + len + 1, 0, padding);
    say_inner(c, peer, inner, len + 1 + padding);
}

static void seal(struct client *c, struct peer *peer, uint8_t kind, uint8_t n, const uint8_t *octets, size_t len)
{
    static uint8_t request[REQUEST_MAX];
    uint8_t update[] = {24, 0, 0, 1, n & 1, 22};
    if (!peer->finished && !peer->early)
        return;
    switch (kind & 3) {
    case SEAL_REQUEST:
        say_octets(c, peer, request, request_build(request, n), kind >> 2);
        break;
    case SEAL_REQUEST_CUT: {
        size_t cut = (kind >> 2) + 1u;
        len = request_build(request, n);
        for (size_t from = 0; from < len; from += cut)
            say_octets(c, peer, request + from, len - from < cut ? len - from : cut, 0);
        break;
    }
    case SEAL_OCTETS:
        if (len != 0)
            say_inner(c, peer, octets, len);
        break;
    default:
        if (!peer->finished) {
            say_early_over(c, peer);
            break;
        }
        say_sealed(c, peer->aes, peer->client, peer->tx_seq++, update, sizeof update);
        tls_expand(peer->client, 32, peer->client, LABEL_UPDATE, NULL, 0);
        peer->tx_seq = 0;
    }
}

void sealed_operate(uint8_t operation, struct client *c, uint8_t a, uint8_t b, const uint8_t *octets, size_t len)
{
    struct peer *peer = &peers[c - clients];
    if (!c->tls)
        return;
    if (operation == DO_HELLO)
        say_hello(c, peer, a, b);
    else if (operation == DO_FINISH)
        say_finished(c, peer, a);
    else if (operation == DO_SEAL)
        seal(c, peer, a, b, octets, len);
    else if (c->stream_len != 0)
        c->stream[a % c->stream_len] ^= b;
}
