// SPDX-License-Identifier: MIT
// A TLS 1.3 server (RFC 8446). Every octet is a function of its position: a record that was lost is sealed again. It
// reads octets in pieces of any length and returns the next step. The caller provides the octets of responses, sends,
// and passes acknowledgments.
//
// Suites: TLS_CHACHA20_POLY1305_SHA256, and TLS_AES_128_GCM_SHA256 if an application wants it; X25519,
// ecdsa_secp256r1_sha256, resumption by psk_dhe_ke.
//
// One record number of one key always seals the same octets. Therefore nothing is passed to tls_in() while a response
// is being sent. It takes nothing itself while it waits for its own output. An alert takes the number after all that
// was sealed.
#ifndef WHIT_TLS_TLS_H
#define WHIT_TLS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whit/config.h"
#include "whit/crypto.h"
#include "whit/port.h"

#if defined(WHIT_TLS_ALONE)    // this layer without an image; 1: with early data
#define WHIT_HTTPS_EARLY WHIT_TLS_ALONE
#ifndef WHIT_HTTPS_AES
#define WHIT_HTTPS_AES 0
#endif
#define EARLY_MAX 4000
#define EARLY_SEEN 4
#else
#include "../core/limits.h"
#endif

#define TLS_FAST (WHIT_TLS_KEYS > 1)    // a machine with room for keys has some for code

#define TLS_SECRET 32
#define TLS_HEADER 5
#define TLS_AROUND (TLS_HEADER + 1 + 16)    // octets around a sealed record's content: header, type, tag
#define TLS_TEXT_MAX 16384                  // octets of content in a record
#define TLS_TICKET 64
#define TLS_TICKET_TEXT 36                         // sealed part of it: the secret and its time
#define TLS_PIECE 64                               // octets of content that are passed on at once
#define TLS_SEQ_BITS (WHIT_HTTPS_AES ? 20 : 21)    // bits of record numbers; a connection ends before they are used up
// from which on no response begins: the longest has 2^24 octets, and 2^18 records
#define TLS_SEQ_MAX ((UINT32_C(1) << TLS_SEQ_BITS) - UINT32_C(0x40000))
#define TLS_PLAIN_MAX 140    // the longest record that is not sealed: ServerHello with the record after it
#define TLS_RECORD_MIN 64    // the least record_len (RFC 8449, section 4)

enum tls_phase {
    TLS_HELLO,       // a ClientHello is being read
    TLS_HEARD,       // it is whole; tls_answer() is next
    TLS_AWAITING,    // the client's Finished
    TLS_OPEN,
    TLS_CLOSED,
};

// Output that is sent before everything else.
enum tls_out {
    TLS_NOTHING,
    TLS_RETRY,     // HelloRetryRequest
    TLS_FLIGHT,    // ServerHello to Finished, and a ticket
    TLS_UPDATE,    // the answer to a KeyUpdate
    TLS_ALERT,     // the last that is sent: then the connection ends
};

enum tls_alert {
    TLS_CLOSE_NOTIFY = 0,
    TLS_UNEXPECTED_MESSAGE = 10,
    TLS_BAD_RECORD_MAC = 20,
    TLS_RECORD_OVERFLOW = 22,
    TLS_HANDSHAKE_FAILURE = 40,
    TLS_ILLEGAL_PARAMETER = 47,
    TLS_DECODE_ERROR = 50,
    TLS_DECRYPT_ERROR = 51,
    TLS_PROTOCOL_VERSION = 70,
    TLS_MISSING_EXTENSION = 109,
    TLS_NO_APPLICATION_PROTOCOL = 120,
};

enum tls_type { TLS_CHANGE_CIPHER_SPEC = 20, TLS_IS_ALERT = 21, TLS_HANDSHAKE = 22, TLS_APPLICATION = 23 };

// State of a ClientHello, while it comes in.
struct tls_hello {
    struct whit_sha256 sha;                               // hash of all messages so far
    uint8_t share[32];                                    // the client's, of X25519
    uint8_t ticket[TLS_TICKET + 4 * WHIT_HTTPS_EARLY];    // the first that is offered, and its obfuscated age
    uint8_t truncated[32];                                // the hash up to the binders; then the early secret
    uint8_t binder[32];                                   // the first
    uint16_t flags;                                       // enum hello_flag
    uint16_t seen;                                        // known extensions, a bit each
    uint16_t message_left;                                // octets of the message
    uint16_t extension_left;
    uint16_t list_left;
    uint16_t item_left;
    uint16_t number;          // number that is being read
    uint16_t item;            // value of an item's head
    uint16_t record_limit;    // the client's limit; 0: no limit
    uint8_t state;            // enum hello_state
    uint8_t part;             // part of an extension: enum list_part
    uint8_t need;             // octets of `number` or of a field that are still to come
    uint8_t list;             // the kind of list: index of hello_lists
    uint8_t at;               // octets of an item's content, no more than are compared
    uint8_t identities, binders;
};

// State of the server's flight, until the client's Finished.
struct tls_flight {
    uint8_t client_finished[32];    // expected value
    uint8_t psk[32];                // secret of the ticket
    uint32_t ticket_s;              // time of the ticket
    uint8_t share[32];              // ours
    uint8_t client_secret[32];      // handshake traffic secrets
    uint8_t server_secret[32];
    uint8_t server_finished[32];
    union {
        uint8_t signature[64];
        struct {                                 // not needed for a connection that resumes
            uint8_t request[32];                 // the caller's: of a request that the flight is sent amid
            uint8_t early_secret[TLS_SECRET];    // the client's secret for early data
        };
    };
};

// All that is kept of an open connection.
struct tls_kept {
    union {
        struct {
            uint32_t rx_seq : TLS_SEQ_BITS;    // number of the next record that comes
#if WHIT_HTTPS_AES
            uint32_t aes : 1;    // the suite; it stays when the connection is closed
#endif
            uint32_t half_in : 1;         // the caller's: it keeps a struct tls_partial
            uint32_t record_half : 10;    // half of tls_record_len()
        };
        struct {    // after it is closed, nothing is received any more
            uint32_t alert : 8;
            uint32_t alert_is_plain : 1;
        };
    };
    union {
        struct {
            uint32_t tx_seq : TLS_SEQ_BITS;
#if WHIT_HTTPS_AES
            uint32_t unused : 1;
#endif
            uint32_t has_limit : 1;      // the client sent record_size_limit
            uint32_t message_len : 3;    // octets of a KeyUpdate that came in records before
            uint32_t is_cut : 1;         // the fields of the handshake are not needed any more, and may be absent
            uint32_t out : 3;            // enum tls_out
            uint32_t phase : 3;          // enum tls_phase
        };
        struct {
            uint32_t before_mark : 22;
            uint32_t mark : 10;    // the caller's, of one that is open, and has nothing to read and to send
        };
    };
    uint8_t client[TLS_SECRET], server[TLS_SECRET];    // application traffic secrets
};
_Static_assert(sizeof(struct tls_kept) == 72, "two secrets and two words");

// State of a record that is partly received. The caller keeps it between two calls, zero at first. It is dropped when a
// record is whole.
struct tls_partial {
    struct whit_aead aead;
    uint16_t left;     // octets of the record behind its header
    uint16_t zeros;    // zeros behind `held`: content or padding
    uint16_t text_len;
    uint8_t header[TLS_HEADER];
    uint8_t header_len;
    uint8_t message[5];    // if it is one: its first octets
    uint8_t held;          // the last octet that is not zero: content, or the type
    bool has_held;
    uint8_t differs;    // differences in the tag
};

enum tls_resumed {
    TLS_RESUMED_NOT,
    TLS_RESUMED,
    TLS_RESUMED_EARLY,    // and the client's early data is read, up to its EndOfEarlyData
};

// The fields after `kept` belong to the handshake, and are cut off when it is over.
struct tls {
    union {
        struct {
            struct tls_kept kept;
            struct tls_flight flight;
        };
        struct {                  // before there are keys
            uint32_t words[2];    // words of `kept`
            struct tls_hello hello;
        };
        struct {    // values for the last keys and the end of the flight, while these are computed
            uint32_t words_too[2];
            uint8_t master[32];
            struct whit_sha256 transcript;
        };
    };
    uint8_t session_id[32], session_id_len;
    uint8_t step;                 // step of the answer: enum answer_step
    bool retried;                 // a HelloRetryRequest was sent
    uint8_t resumed;              // enum tls_resumed
    bool has_alpn, has_ticket;    // contents of the flight
    uint8_t ccs_cnt;              // dummy records that came
    uint8_t finished_len;         // octets of a message that came in records before, until Finished
    uint8_t differs;              // Finished: differences from the expected value
    uint16_t handshake_seq;       // number of the client's records under the handshake key
    uint16_t early_left;    // octets of early data that may still come: records to be skipped, or content to be read
};
_Static_assert(offsetof(struct tls, transcript) + sizeof(struct whit_sha256) <=
                   offsetof(struct tls, flight) + offsetof(struct tls_flight, share),
               "it covers nothing that is there before");
_Static_assert(offsetof(struct tls, hello) >= offsetof(struct tls_kept, client) &&
                   offsetof(struct tls, master) >= offsetof(struct tls_kept, client),
               "nor do they");
_Static_assert(!WHIT_HTTPS_EARLY || offsetof(struct tls, flight) + offsetof(struct tls_flight, early_secret) >=
                                        offsetof(struct tls, hello) + sizeof(struct tls_hello),
               "it is found while the hello is there");

enum tls_event {
    TLS_NONE,
    TLS_TEXT,      // content whose record is not verified: nothing of it may take effect
    TLS_RECORD,    // the octets passed since the last record are verified content
    TLS_FORGET,    // the octets passed since the last record were not content, or were forged
};

struct tls_got {
    enum tls_event event;
    uint8_t len;         // octets of text
    uint8_t zeros_at;    // octet of text before which `zeros` zero octets are inserted
    uint16_t zeros;
    uint8_t text[TLS_PIECE + 1];
};

// True if records are sealed by AES-128-GCM.
static inline bool tls_by_aes(const struct tls *tls)
{
#if WHIT_HTTPS_AES
    return tls->kept.aes;
#else
    (void)tls;
    return false;
#endif
}

// Octets of content in each record that is sent, but the last.
static inline uint16_t tls_record_len(const struct tls *tls)
{
    return (uint16_t)(2 * tls->kept.record_half);
}

// Records of the client are early data (RFC 8446, section 2.3): verified, but possibly a replay.
static inline bool tls_is_early(const struct tls *tls)
{
    return WHIT_HTTPS_EARLY && tls->kept.phase == TLS_AWAITING && tls->resumed == TLS_RESUMED_EARLY;
}

// Data of the image: the Certificate message (RFC 8446, section 4.4.2), with its header. Its key is the port's:
// whit_tls_key().
extern const uint8_t whit_tls_certificate[] WHIT_FLASH;
extern const uint16_t whit_tls_certificate_len;
extern const uint32_t whit_tls_ticket_s WHIT_FLASH;    // lifetime of a ticket

// Once, before all others: takes a secret from the port's entropy.
void tls_start(void);

// record_len: at least TLS_RECORD_MIN; if it is odd, one less.
void tls_open(struct tls *tls, uint16_t record_len);

// Takes octets, up to one event, and returns their number. Less than `len` without an event: pass the others again
// later. The end of a sealed record is an event.
uint16_t tls_in(struct tls *tls, struct tls_partial *in, const uint8_t *octets, uint16_t len, struct tls_got *got);

// Phase TLS_HEARD: computes a slice of the answer, at most some 400 000 cycles of a Cortex-M3, until the phase changes.
// One connection is answered at a time. now_s: the engine's clock.
void tls_work(struct tls *tls, uint32_t now_s);
void tls_give_up(void);    // the client that tls_work() served last has gone
// while none is answered: a slice for the next one; false: all is ready
bool tls_prepare(void);
void tls_answer(struct tls *tls, uint32_t now_s);    // all slices

// `out` on the wire: its length; the record that holds the octet *from, which becomes a place in it; all of it was
// acknowledged. `to` has room for record_len + TLS_AROUND octets, and for TLS_PLAIN_MAX.
uint16_t tls_out_len(const struct tls *tls);
uint16_t tls_out_record(const struct tls *tls, uint16_t *from, uint8_t *to);
void tls_out_end(struct tls *tls);

// Responses, which begin when `out` is TLS_NOTHING. Seals record `index`: its content of `len` octets is at record +
// TLS_HEADER; returns the record's length. At the end of a response of `len` octets, and `more` records, its numbers
// are used up.
uint16_t tls_seal(const struct tls *tls, uint32_t index, uint8_t *record, uint16_t len);
void tls_response_end(struct tls *tls, uint32_t len, uint32_t more);
uint32_t tls_records(const struct tls *tls, uint32_t len);
uint32_t tls_wire_len(const struct tls *tls, uint32_t len);

// close_notify as record `index` of a response, behind all others: of TLS_CLOSE_LEN octets.
#define TLS_CLOSE_LEN (2 + TLS_AROUND)
void tls_seal_close(const struct tls *tls, uint32_t index, uint8_t *record);
// the same for a connection without other state
void tls_seal_last(const struct tls_kept *kept, uint8_t *record);

// An alert is sent, and the connection ends.
void tls_close(struct tls *tls, uint8_t alert);

#if defined(WHIT_METER)
// For tests: the text sealed with a key and nonce.
void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len);
void whit_meter_once(const uint8_t of[32]);    // a share, or r of a signature: never the same again
#endif

#endif
