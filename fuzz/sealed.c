// SPDX-License-Identifier: MIT
// Clients of the HTTPS port. Their handshakes are real except for slow arithmetic (quick_crypto.c). script.c cuts,
// repeats, drops and changes their segments like any others. Received records are opened one by one: each must be the
// next one of its key. A number of a key seals one text in a run. Early data of one hello is read once, and runs
// nothing that must not run twice.
#include "sealed.h"

#include <string.h>

#include "core/buffer.h"
#include "core/grammar.h"
#include "response/response.h"
#include "tls/internal.h"

#define ACCEPTED_MAX 64

struct peer peers[CLIENTS];

static uint8_t accepted[ACCEPTED_MAX][32];    // hellos whose early data was
static uint8_t accepted_cnt;

// -------------------------------------------------------------------------------------- one text for a number of a key

#define SEALED_MAX 1024
static struct {
    uint8_t of[44], text[32];
} sealed[SEALED_MAX];    // the last sealed texts, at places that follow from key and nonce

// Does nothing: the target starts the device anew, so each run has the same values.
void whit_meter_once(const uint8_t of[32])
{
    (void)of;
}

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

// ------------------------------------------------------------------------------------------------ at the beginning

void sealed_begin(void)
{
    memset(peers, 0, sizeof peers);
    memset(sealed, 0, sizeof sealed);    // the entropy is the same as before
    accepted_cnt = 0;
    for (uint8_t i = 0; i < SEALED_CLIENTS; i++)
        clients[i].tls = true;
    clients[SEALED_CLIENTS].addr = clients[0].addr;
    clients[SEALED_CLIENTS].port = clients[0].port;
    memcpy(clients[SEALED_CLIENTS].mac, clients[0].mac, sizeof clients[0].mac);
}

// ------------------------------------------------------------------------------------------------ hearing

void sealed_opened(struct client *c)
{
    struct peer *peer = &peers[c - clients], before = *peer;
    memset(peer, 0, sizeof *peer);
    peer->has_ticket = before.has_ticket;
    memcpy(peer->ticket, before.ticket, sizeof before.ticket);
    memcpy(peer->psk, before.psk, sizeof before.psk);
    peer->age_add = before.age_add;
    peer->ticket_aes = before.ticket_aes;
    peer->ticket_ms = before.ticket_ms;
    peer->early = before.early;    // its first flight may still be sent
    peer->early_aes = before.early_aes;
    peer->early_seq = before.early_seq;
    memcpy(peer->early_secret, before.early_secret, sizeof before.early_secret);
    peer->first_len = before.first_len;
    memcpy(peer->first, before.first, sizeof before.first);
    c->heard_len = 0;
}

// A hello's early data is read once, however often it comes, and whoever sends it. The secret is a function of the
// hello.
static void note_accepted(struct peer *peer, const uint8_t *early_secret)
{
    CHECK(peer->early && peer->early_aes == peer->aes);
    peer->accepted = true;
    for (uint8_t i = 0; i < accepted_cnt; i++)
        CHECK(memcmp(accepted[i], early_secret, 32) != 0);
    if (accepted_cnt < ACCEPTED_MAX)
        memcpy(accepted[accepted_cnt++], early_secret, 32);
}

// Takes the keys that the server has just computed: both ends have them.
static void take_keys(const struct client *c, struct peer *peer)
{
    struct whit_tcb tcb = {.remote_addr = c->addr, .remote_port = c->port};
    set_tls(&tcb, true);
    const struct whit_tcb *found = table_find(&tcb);
    CHECK(found != NULL);
    const struct tls *tls = &sealed_of(found)->tls;
    CHECK(tls->kept.phase == TLS_AWAITING && tls_by_aes(tls) == peer->aes);
    peer->keyed = true;
    if (tls_is_early(tls))
        note_accepted(peer, tls->flight.early_secret);
    memcpy(peer->handshake_client, tls->flight.client_secret, 32);
    memcpy(peer->handshake_server, tls->flight.server_secret, 32);
    memcpy(peer->verify, tls->flight.client_finished, 32);
    memcpy(peer->psk_next, tls->flight.psk, 32);
    memcpy(peer->client, tls->kept.client, 32);
    memcpy(peer->server, tls->kept.server, 32);
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
    peer->ticket_aes = peer->aes;
    peer->age_add = load32_be(text + 8);
    peer->ticket_ms = world.now_ms;
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
        CHECK(type == 23 && (peer->finished || peer->accepted) && len != 0);
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
        CHECK(len > 42 && text[0] == 2 && !peer->keyed && text[38] == 0 && text[39] == 0x13);
        peer->aes = text[40] == 1;
        CHECK(peer->aes || text[40] == 3);
        if (memcmp(text + 6, retry, sizeof retry) != 0)
            take_keys(c, peer);
    } else {
        CHECK(record[0] == 23 && peer->keyed && len > TAG);
        sealed_key(&key, peer->aes, peer->flight_over ? peer->server : peer->handshake_server, peer->rx_seq++);
        aead_begin(peer->aes, &aead, &key, record, TLS_HEADER);
        len -= TAG;
        aead_open(peer->aes, &aead, &key, text, text, (uint16_t)len);
        aead_end(peer->aes, &aead, &key, tag);
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

// ---------------------------------------------------------------------------------------------- between two operations

// Before a client's Finished, nothing runs that must not run twice.
void sealed_state(const struct whit_tcb *tcb)
{
    const struct tls *tls = is_tls(tcb) ? &sealed_of(tcb)->tls : NULL;
    if (tls == NULL || tls->kept.phase != TLS_AWAITING)
        return;
    if (tcb->state == TCB_RESPONSE && !sealed_own(tcb) && tcb->response.kind == KIND_CONTENT)
        CHECK(whit_resources[tcb->response.resource].persistence != WHIT_PERSISTENT);
    if (WHIT_HAS_BODY && tcb->state == TCB_REQUEST && tcb->request.step == STEP_BODY)
        CHECK(body_kept(tcb)->transfer == TRANSFER_NEW);
}

// ------------------------------------------------------------------------------------------------ at the end

// Sends the client's stream until `text_len` octets of content have come, or the flight. The engine may remember a
// handshake of the run before, which ended at another time.
static void talk(struct client *c, const struct peer *peer, uint16_t text_len)
{
    for (uint8_t rounds = 0; rounds < 40 && (!peer->flight_over || peer->text_len < text_len); rounds++) {
        uint32_t from = c->una - c->base;
        if (from < c->stream_len)
            client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, c->stream + from,
                           c->stream_len - from < 500 ? c->stream_len - from : 500);
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
    say_hello(c, peer, HELLO_ALPN | HELLO_WITH_TICKET, 0);
    talk(c, peer, 0);
    CHECK(peer->flight_over);
    say_finished(c, peer, 0);
    say_octets(c, peer, (const uint8_t *)request, sizeof request - 1, 0);
    talk(c, peer, sizeof peer->text);
    CHECK(memcmp(peer->text, "HTTP/1.1 200", sizeof peer->text) == 0);
}
