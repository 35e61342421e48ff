// SPDX-License-Identifier: MIT
// For the files of this layer only.
// Sealing and opening by the suite of a connection. An image of one suite has no choice.
#ifndef WHIT_TLS_INTERNAL_H
#define WHIT_TLS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "tls.h"

static inline void aead_begin(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, const uint8_t *data,
                              uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_begin(aead, key, data, len);
    else
        whit_aead_begin(aead, key, data, len);
}

static inline void aead_seal(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *text,
                             uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_seal(aead, key, text, text, len);
    else
        whit_aead_seal(aead, key, text, text, len);
}

static inline void aead_open(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t *to,
                             const uint8_t *from, uint16_t len)
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_open(aead, key, to, from, len);
    else
        whit_aead_open(aead, key, to, from, len);
}

static inline void aead_end(bool aes, struct whit_aead *aead, const struct whit_aead_key *key, uint8_t tag[16])
{
    if (WHIT_HTTPS_AES && aes)
        whit_gcm_end(aead, key, tag);
    else
        whit_aead_end(aead, key, tag);
}

// ------------------------------------------------------------------------------------------------ secrets

// Secrets of TLS 1.3 and values derived of them (RFC 8446, section 7).

enum tls_label {
    LABEL_DERIVED,
    LABEL_C_E,
    LABEL_C_HS,
    LABEL_S_HS,
    LABEL_C_AP,
    LABEL_S_AP,
    LABEL_RES_MASTER,
    LABEL_RES_BINDER,
    LABEL_RESUMPTION,
    LABEL_FINISHED,
    LABEL_KEY,
    LABEL_IV,
    LABEL_UPDATE,
};

// HKDF-Expand-Label. context_len: 0, 1 or 32.
void tls_expand(uint8_t *to, uint8_t len, const uint8_t *secret, enum tls_label label, const uint8_t *context,
                uint8_t context_len);

// The next stage of the schedule: extracts from a secret and the added value.
void tls_stage(uint8_t to[32], const uint8_t *secret, const uint8_t *added);

// The hash of an empty text; and of all messages so far.
void tls_hash_of_nothing(uint8_t to[32]);
void tls_hash_so_far(uint8_t to[32], const struct whit_sha256 *sha);

// verify_data of Finished, and a binder (section 4.4.4).
void tls_finished(uint8_t to[32], const uint8_t *base, const uint8_t *hash);

// Key and nonce of a record; aes: the suite. The keys of the last secrets are cached, up to WHIT_TLS_KEYS; forget a
// secret before it changes.
void tls_record_key(struct whit_aead_key *to, const uint8_t *secret, uint32_t seq, bool aes);
void tls_forget_key(const uint8_t *secret);

// Overwrites secrets that are not used any more: those of the handshake, or all.
void tls_forget(struct tls *tls);

// Tickets, sealed by a secret of this start. A ticket is bound to ALPN and, if it matters, to the suite. text: the
// session's secret, and its time in seconds; zero if the ticket is invalid.
void tls_seal_ticket(uint8_t to[TLS_TICKET], const struct tls *tls);
bool tls_open_ticket(uint8_t text[TLS_TICKET_TEXT], const uint8_t ticket[TLS_TICKET], const struct tls *tls,
                     uint32_t now_s);
uint32_t tls_age_add(const uint8_t ticket[TLS_TICKET]);    // section 4.6.1

extern const uint8_t tls_zero[32];
#define TLS_TICKET_S whit_flash_u32(&whit_tls_ticket_s)

// ------------------------------------------------------------------------------------------------ the ClientHello

// A ClientHello, octet by octet (RFC 8446, section 4.1.2).

// Suites of RFC 8446, section B.4.
#define AES_128_GCM_SHA256 0x1301
#define CHACHA20_POLY1305_SHA256 0x1303

// Contents of the hello.
enum hello_flag {
    HELLO_TLS13 = 1,
    HELLO_CIPHER = 2,
    HELLO_GROUP = 4,
    HELLO_SIGNATURE = 8,
    HELLO_SHARE = 0x10,
    HELLO_HTTP11 = 0x20,
    HELLO_DHE = 0x40,
    HELLO_TICKET = 0x80,
    HELLO_BINDER = 0x100,
    HELLO_COMPRESSION = 0x200,
    HELLO_AES = 0x400,
    HELLO_AES_FIRST = 0x800,
};

// The extensions that are read, each a list; binders come after identities.
enum hello_list {
    LIST_VERSIONS,
    LIST_GROUPS,
    LIST_SIGNATURES,
    LIST_MODES,
    LIST_PROTOCOLS,
    LIST_SHARES,
    LIST_LIMIT,
    LIST_IDENTITIES,
    LIST_EARLY,
    LIST_BINDERS,
    LIST_UNKNOWN,
};
#define HELLO_HAS(hello, list) (((hello)->seen & 1u << (list)) != 0)

// Prepares for the next one, when a connection begins or resumes: `sha` stays.
void hello_begin(struct tls_hello *hello);

// Returns an alert, or 0. When the message is whole, hello_is_whole().
uint8_t hello_octet(struct tls *tls, uint8_t octet);
bool hello_is_whole(const struct tls_hello *hello);

// ------------------------------------------------------------------------------------------------ the server's flight

// The messages of the server's flight as functions of its stored state.

#define FLIGHT_LIMIT 513    // limit of a client's record, type included, if it honours our limit (RFC 8449)

// ServerHello, or HelloRetryRequest where `share` is NULL, as a record. Returns its length.
uint8_t flight_hello(const struct tls *tls, const uint8_t *share, uint8_t *to);

// Octets [from, from + len) of the messages that are sealed by the handshake's key; `to` may be NULL with a `len` of 0.
// Returns how many there are in all.
uint16_t flight_text(const struct tls *tls, uint16_t from, uint16_t len, uint8_t *to);

uint8_t flight_extensions(const struct tls *tls, uint8_t *to);      // EncryptedExtensions
uint8_t flight_verify(const uint8_t signature[64], uint8_t *to);    // CertificateVerify
uint8_t flight_ticket(const struct tls *tls, uint8_t *to);          // NewSessionTicket

#define FLIGHT_MESSAGE_MAX 96    // longest of all of these
#define FLIGHT_FINISHED_LEN 36
#define FLIGHT_TICKET_LEN (4 + 14 + TLS_TICKET + TICKET_EARLY_LEN)
#define TICKET_EARLY_LEN (8 * WHIT_HTTPS_EARLY)    // its part for early data

// --------------------------------------------------------------------------------------------- early data once at most

// Acceptance of early data (RFC 8446, section 8): from a hello that is young and was not received before.

// Checks a hello with a valid binder, whose ticket was made at made_s. age_add: of the ticket. True: accepted and
// remembered.
bool early_accepts(const struct tls_hello *hello, uint32_t age_add, uint32_t made_s, uint32_t now_s);

// ------------------------------------------------------------------------------------------- computed ahead, in slices

// Long computations, in slices: key pairs, shared secrets, nonces of signatures. One of them is computed at a time. A
// pair and a nonce wait here for the next hello; each serves once.

enum ahead {
    AHEAD_MORE,     // a slice was computed: call again
    AHEAD_READY,    // nothing was computed
    AHEAD_NONE,     // it cannot be had: the key is no scalar
};

enum ahead ahead_pair(void);    // a key pair
// secret of the pair and a client's point: the same until it is ready
enum ahead ahead_shared(const uint8_t point[32]);
bool ahead_take(uint8_t share[32], uint8_t shared[32]);    // both, which are forgotten here. False: `shared` is zero
// NULL: nonce of unpredictable octets; else of the digest to be signed
enum ahead ahead_nonce(const uint8_t *digest);
bool ahead_sign(uint8_t signature[64], const uint8_t digest[32]);    // by the nonce, which is forgotten
bool ahead_amid_nonce(void);    // a nonce of unpredictable octets is being computed
void ahead_no_nonce(void);      // makes room: the next client needs no nonce
void ahead_give_up(void);       // drops the values for one client

#endif
