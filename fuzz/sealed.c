// SPDX-License-Identifier: MIT
// Clients of the HTTPS port. Their handshakes are real but for slow arithmetic (quick_crypto.c); what they send is cut, repeated, lost
// and changed by script.c like anything else. What they hear is opened record by record: each must be the next one of its key. And a
// number of a key seals one text, in all of a run.
#include "fuzz.h"

#include <string.h>

#include "base/limits.h"
#include "content/sealed.h"
#include "tls/tls_secret.h"

#define SEALED_CLIENTS 3    // the others speak plainly; the last one has the host and port of the first
#define FLIGHT_MAX 2000
#define TAG 16

enum hello_form { HELLO_ALPN = 1, HELLO_NO_SHARE = 2, HELLO_WITH_TICKET = 4, HELLO_WITH_LIMIT = 8, HELLO_WITH_EARLY = 16 };
enum seal_kind { SEAL_REQUEST, SEAL_REQUEST_CUT, SEAL_OCTETS, SEAL_UPDATE };

static struct peer {
    bool keyed;          // it has heard a ServerHello
    bool flight_over;    // and the server's Finished
    bool finished;       // it has said its own
    bool over;           // an alert came: nothing may follow
    bool has_ticket;
    uint8_t handshake_client[32], handshake_server[32], client[32], server[32], verify[32], psk[32], psk_next[32];
    uint8_t ticket[TLS_TICKET];
    uint32_t tx_seq, rx_seq;
    uint16_t flight_len, text_len;
    uint8_t flight[FLIGHT_MAX];    // messages under the handshake's key
    uint8_t text[12];              // what responses began with
} peers[CLIENTS];

// ------------------------------------------------------------------------------------------------ one text for a number of a key

#define SEALED_MAX 1024
static struct {
    uint8_t of[44], text[32];
} sealed[SEALED_MAX];    // what was sealed last, by places that follow from key and nonce

// Of each run the same: the target starts the device anew.
void whit_meter_once(const uint8_t of[32]) { (void)of; }

void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len)
{
    struct whit_sha256 sha;
    uint8_t of[44], digest[32];
    memcpy(of, key->key, 32);
    memcpy(of + 32, key->nonce, 12);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, text, len);
    whit_sha256_end(&sha, digest);
    uint16_t at = (load16_be(of) ^ load16_be(of + 42)) % SEALED_MAX;
    CHECK(memcmp(sealed[at].of, of, sizeof of) != 0 || memcmp(sealed[at].text, digest, sizeof digest) == 0);
    memcpy(sealed[at].of, of, sizeof of);
    memcpy(sealed[at].text, digest, sizeof digest);
}

// ------------------------------------------------------------------------------------------------ saying

void sealed_begin(void)
{
    memset(peers, 0, sizeof peers);
    memset(sealed, 0, sizeof sealed);    // the entropy is the same as before
    for (uint8_t i = 0; i < SEALED_CLIENTS; i++)
        clients[i].tls = true;
    clients[SEALED_CLIENTS].addr = clients[0].addr;
    clients[SEALED_CLIENTS].port = clients[0].port;
    memcpy(clients[SEALED_CLIENTS].mac, clients[0].mac, sizeof clients[0].mac);
}

// Octets at the end of what it will say; NULL: there is no room.
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
#define PUT(...) (to = put(to, (const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}))

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

static void say_hello(struct client *c, const struct peer *peer, uint8_t form)
{
    uint8_t record[500] = {22, 3, 1, 0, 0, 1, 0, 0, 0, 3, 3}, *to = record + 11 + 32, *extensions;
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
        PUT(0, 0, 0, 1);
        binder = to;
        PUT(0, 33, 32);
        to += 32;
    }
    store16_be(extensions - 2, (uint16_t)(to - extensions));
    store16_be(record + 7, (uint16_t)(to - record - 9));
    store16_be(record + 3, (uint16_t)(to - record - 5));
    if (binder != NULL)
        bind(peer, binder + 3, record + 5, (size_t)(binder - record - 5));
    uint8_t *place = grow(c, (size_t)(to - record));
    if (place != NULL)
        memcpy(place, record, (size_t)(to - record));
}

static void key_of(struct whit_aead_key *key, const uint8_t *secret, uint32_t seq)
{
    tls_expand(key->key, 32, secret, LABEL_KEY, NULL, 0);
    tls_expand(key->nonce, 12, secret, LABEL_IV, NULL, 0);
    for (uint8_t i = 0; i < 4; i++)
        key->nonce[11 - i] ^= (uint8_t)(seq >> 8 * i);
}

static void say_sealed(struct client *c, const uint8_t *secret, uint32_t seq, const uint8_t *inner, size_t len)
{
    struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t *record = grow(c, TLS_HEADER + len + TAG);
    if (record == NULL)
        return;
    memcpy(record, (const uint8_t[]){23, 3, 3}, 3);
    store16_be(record + 3, (uint16_t)(len + TAG));
    key_of(&key, secret, seq);
    whit_aead_begin(&aead, &key, record, TLS_HEADER);
    whit_aead_seal(&aead, &key, record + TLS_HEADER, inner, (uint16_t)len);
    whit_aead_end(&aead, &key, record + TLS_HEADER + len);
}

static void say_finished(struct client *c, struct peer *peer, bool bare)
{
    uint8_t finished[37] = {20, 0, 0, 32, [36] = 22};
    if (!peer->keyed || peer->finished)
        return;
    uint8_t *ccs = bare ? NULL : grow(c, 6);
    if (ccs != NULL)
        memcpy(ccs, (const uint8_t[]){20, 3, 3, 0, 1, 1}, 6);
    memcpy(finished + 4, peer->verify, 32);
    say_sealed(c, peer->handshake_client, 0, finished, sizeof finished);
    peer->finished = true;
    peer->tx_seq = 0;
}

static void say_octets(struct client *c, struct peer *peer, const uint8_t *octets, size_t len, uint8_t padding)
{
    static uint8_t inner[REQUEST_MAX + 100];
    memcpy(inner, octets, len);
    inner[len] = 23;
    memset(inner + len + 1, 0, padding);
    say_sealed(c, peer->client, peer->tx_seq++, inner, len + 1 + padding);
}

static void seal(struct client *c, struct peer *peer, uint8_t kind, uint8_t n, const uint8_t *octets, size_t len)
{
    static uint8_t request[REQUEST_MAX];
    uint8_t update[] = {24, 0, 0, 1, n & 1, 22};
    if (!peer->finished)
        return;
    switch (kind & 3) {
    case SEAL_REQUEST: say_octets(c, peer, request, request_build(request, n), kind >> 2); break;
    case SEAL_REQUEST_CUT: {
        size_t cut = (kind >> 2) + 1u;
        len = request_build(request, n);
        for (size_t from = 0; from < len; from += cut)
            say_octets(c, peer, request + from, len - from < cut ? len - from : cut, 0);
        break;
    }
    case SEAL_OCTETS:
        if (len != 0)
            say_sealed(c, peer->client, peer->tx_seq++, octets, len);
        break;
    default:
        say_sealed(c, peer->client, peer->tx_seq++, update, sizeof update);
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
        say_hello(c, peer, a);
    else if (operation == DO_FINISH)
        say_finished(c, peer, (a & 1) != 0);
    else if (operation == DO_SEAL)
        seal(c, peer, a, b, octets, len);
    else if (c->stream_len != 0)
        c->stream[a % c->stream_len] ^= b;
}

// ------------------------------------------------------------------------------------------------ hearing

void sealed_opened(struct client *c)
{
    struct peer *peer = &peers[c - clients], before = *peer;
    memset(peer, 0, sizeof *peer);
    peer->has_ticket = before.has_ticket;
    memcpy(peer->ticket, before.ticket, sizeof before.ticket);
    memcpy(peer->psk, before.psk, sizeof before.psk);
    c->heard_len = 0;
}

// What the server has just computed: both ends have it.
static void take_keys(const struct client *c, struct peer *peer)
{
    struct whit_tcb tcb = {.remote_addr = c->addr, .remote_port = c->port};
    set_tls(&tcb, true);
    const struct whit_tcb *found = table_find(&tcb);
    CHECK(found != NULL);
    const struct tls *tls = &sealed_of(found)->tls;
    CHECK(tls->phase == TLS_AWAITING);
    peer->keyed = true;
    memcpy(peer->handshake_client, tls->flight.client_secret, 32);
    memcpy(peer->handshake_server, tls->flight.server_secret, 32);
    memcpy(peer->verify, tls->flight.client_finished, 32);
    memcpy(peer->psk_next, tls->flight.psk, 32);
    memcpy(peer->client, tls->keys.client, 32);
    memcpy(peer->server, tls->keys.server, 32);
}

static void flight_in(struct peer *peer, const uint8_t *text, size_t len)
{
    CHECK(len <= sizeof peer->flight - peer->flight_len);
    memcpy(peer->flight + peer->flight_len, text, len);
    peer->flight_len = (uint16_t)(peer->flight_len + len);
    for (uint32_t at = 0; at + 4 <= peer->flight_len;) {
        uint32_t end = at + 4 + (load32_be(peer->flight + at) & 0xffffff);
        if (end > peer->flight_len)
            return;
        if (peer->flight[at] == 20) {
            CHECK(end == peer->flight_len);
            peer->flight_over = true;
            peer->rx_seq = 0;
            return;
        }
        at = end;
    }
}

static void message_in(struct peer *peer, const uint8_t *text, size_t len)
{
    if (text[0] == 24) {
        CHECK(len == 5);
        tls_expand(peer->server, 32, peer->server, LABEL_UPDATE, NULL, 0);
        peer->rx_seq = 0;
        return;
    }
    CHECK(text[0] == 4 && peer->rx_seq == 1 && len > 13 + TLS_TICKET);
    size_t at = 13u + text[12];
    CHECK(load16_be(text + at) == TLS_TICKET && at + 2 + TLS_TICKET <= len);
    memcpy(peer->ticket, text + at + 2, TLS_TICKET);
    memcpy(peer->psk, peer->psk_next, 32);
    peer->has_ticket = true;
}

static void content_in(struct peer *peer, uint8_t type, const uint8_t *text, size_t len)
{
    if (type == 21) {
        CHECK(len == 2);
        peer->over = true;
    } else if (type == 22 && peer->flight_over) {
        message_in(peer, text, len);
    } else if (type == 22) {
        flight_in(peer, text, len);
    } else {
        CHECK(type == 23 && peer->finished && len != 0);
        for (size_t i = 0; i < len && peer->text_len < sizeof peer->text; i++)
            peer->text[peer->text_len++] = text[i];
        CHECK(memcmp(peer->text, "HTTP/1.1 ", peer->text_len < 9 ? peer->text_len : 9) == 0);
    }
}

static void record_in(const struct client *c, struct peer *peer, uint8_t *record, size_t len)
{
    static const uint8_t retry[] = {0xcf, 0x21, 0xad, 0x74};
    uint8_t *text = record + TLS_HEADER, tag[TAG];
    struct whit_aead_key key;
    struct whit_aead aead;
    CHECK(!peer->over && record[1] == 3 && len > TLS_HEADER);
    len -= TLS_HEADER;
    if (record[0] == 21) {
        CHECK(len == 2 && !peer->keyed);
        peer->over = true;
    } else if (record[0] == 20) {
        CHECK(len == 1 && !peer->flight_over);
    } else if (record[0] == 22) {
        CHECK(len > 38 && text[0] == 2 && !peer->keyed);
        if (memcmp(text + 6, retry, sizeof retry) != 0)
            take_keys(c, peer);
    } else {
        CHECK(record[0] == 23 && peer->keyed && len > TAG);
        key_of(&key, peer->flight_over ? peer->server : peer->handshake_server, peer->rx_seq++);
        whit_aead_begin(&aead, &key, record, TLS_HEADER);
        len -= TAG;
        whit_aead_open(&aead, &key, text, text, (uint16_t)len);
        whit_aead_end(&aead, &key, tag);
        CHECK(memcmp(tag, text + len, TAG) == 0);
        content_in(peer, text[len - 1], text, len - 1);
    }
}

void sealed_hears(struct client *c)
{
    size_t at = 0;
    while (c->heard_len - at >= TLS_HEADER) {
        size_t len = TLS_HEADER + (size_t)load16_be(c->heard + at + 3);
        CHECK(len <= sizeof c->heard);
        if (len > c->heard_len - at)
            break;
        record_in(c, &peers[c - clients], c->heard + at, len);
        at += len;
    }
    memmove(c->heard, c->heard + at, c->heard_len - at);
    c->heard_len = (uint16_t)(c->heard_len - at);
}

// ------------------------------------------------------------------------------------------------ at the end

// What it says, all of it, until as many octets of content have come, or the flight. The engine may remember a handshake of the run before, after whose time was another.
static void talk(struct client *c, const struct peer *peer, uint16_t text_len)
{
    for (uint8_t rounds = 0; rounds < 40 && (!peer->flight_over || peer->text_len < text_len); rounds++) {
        uint32_t from = c->una - c->base;
        if (from < c->stream_len)
            client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, c->stream + from, c->stream_len - from < 500 ? c->stream_len - from : 500);
        world_output(UINT16_MAX);
        client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, NULL, 0);
        world_output(UINT16_MAX);
        world_advance(rounds < 10 ? 40 : 1000);
    }
}

void sealed_newcomer(void)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: whit\r\n\r\n";
    struct client *c = &clients[0];
    struct peer *peer = &peers[0];
    c->port = 9;
    client_segment(c, 1, 0, TCP_SYN, 65535, NULL, 0, NULL, 0);
    say_hello(c, peer, HELLO_ALPN | HELLO_WITH_TICKET);
    talk(c, peer, 0);
    CHECK(peer->flight_over);
    say_finished(c, peer, false);
    say_octets(c, peer, (const uint8_t *)request, sizeof request - 1, 0);
    talk(c, peer, sizeof peer->text);
    CHECK(memcmp(peer->text, "HTTP/1.1 200", sizeof peer->text) == 0);
}
