// SPDX-License-Identifier: MIT
// Functions shared by the files of the HTTPS clients: sealed.c receives and checks, sealed_says.c sends.
#ifndef WHIT_FUZZ_SEALED_H
#define WHIT_FUZZ_SEALED_H

#include "fuzz.h"
#include "core/limits.h"
#include "tls/internal.h"

#define SEALED_CLIENTS 3    // the others speak plainly; the last one has the host and port of the first
#define FLIGHT_MAX 2000
#define TAG 16
#define FIRST_MAX 1500    // octets of a hello and its early data that are sent again

struct peer {
    bool keyed;          // it has received a ServerHello
    bool flight_over;    // and the server's Finished
    bool finished;       // it has sent its Finished
    bool over;           // an alert came: nothing may follow
    bool aes;            // the suite
    bool has_ticket;
    uint8_t handshake_client[32], handshake_server[32], client[32], server[32], verify[32], psk[32], psk_next[32];
    uint8_t ticket[TLS_TICKET];
    uint32_t age_add, ticket_ms;    // the ticket's; time at which it came
    bool ticket_aes;                // under which suite
    bool early;                     // its hello announced early data,
    bool accepted;                  // ... and is read
    bool early_over;                // and it sent EndOfEarlyData
    bool early_aes;
    uint8_t early_secret[32];
    uint32_t early_seq;
    uint16_t first_len;
    uint8_t first[FIRST_MAX];
    uint32_t tx_seq, rx_seq;
    uint16_t flight_len, text_len;
    uint8_t flight[FLIGHT_MAX];    // messages under the handshake's key
    uint8_t text[12];              // begin of responses
};
extern struct peer peers[CLIENTS];

void sealed_key(struct whit_aead_key *key, bool aes, const uint8_t *secret, uint32_t seq);    // key of that record
void say_hello(struct client *c, struct peer *peer, uint8_t form, uint8_t n);
void say_finished(struct client *c, struct peer *peer, uint8_t form);
void say_octets(struct client *c, struct peer *peer, const uint8_t *octets, size_t len, uint8_t padding);    // content

enum hello_form {
    HELLO_ALPN = 1,
    HELLO_NO_SHARE = 2,
    HELLO_WITH_TICKET = 4,
    HELLO_WITH_LIMIT = 8,
    HELLO_WITH_EARLY = 16,
    HELLO_STALE = 32,      // the ticket's age is 30 s too high
    HELLO_AGAIN = 64,      // the first flight of another client, unchanged, with early data
    HELLO_FORGED = 128,    // with a wrong binder
};
// Suites, from the first octet of the random; no effect in an image with one suite.
enum hello_suites {
    SUITES_AES = 64,    // AES-128-GCM alone
    SUITES_BOTH = 128,
};
enum finish_form { FINISH_BARE = 1 /* without change_cipher_spec */, FINISH_AMID = 2 /* without EndOfEarlyData */ };

#endif
