// SPDX-License-Identifier: MIT
// Secrets of TLS 1.3 and what is derived of them (RFC 8446, section 7).
#ifndef WHIT_TLS_SECRET_H
#define WHIT_TLS_SECRET_H

#include "tls.h"

enum tls_label {
    LABEL_DERIVED, LABEL_C_E, LABEL_C_HS, LABEL_S_HS, LABEL_C_AP, LABEL_S_AP, LABEL_RES_MASTER, LABEL_RES_BINDER, LABEL_RESUMPTION,
    LABEL_FINISHED, LABEL_KEY, LABEL_IV, LABEL_UPDATE,
};

// HKDF-Expand-Label. context_len: 0, 1 or 32.
void tls_expand(uint8_t *to, uint8_t len, const uint8_t *secret, enum tls_label label, const uint8_t *context, uint8_t context_len);

// The next stage of the schedule: extract, of a secret and what is added to it.
void tls_stage(uint8_t to[32], const uint8_t *secret, const uint8_t *added);

// The hash of nothing; and of what was added so far.
void tls_hash_of_nothing(uint8_t to[32]);
void tls_hash_so_far(uint8_t to[32], const struct whit_sha256 *sha);

// verify_data of Finished, and a binder (section 4.4.4).
void tls_finished(uint8_t to[32], const uint8_t *base, const uint8_t *hash);

// Key and nonce of a record; aes: by which suite. Those of the last secrets are kept, up to WHIT_TLS_KEYS; a secret that changes is to be forgotten first.
void tls_record_key(struct whit_aead_key *to, const uint8_t *secret, uint32_t seq, bool aes);
void tls_forget_key(const uint8_t *secret);

// Overwrites secrets that are not used any more: those of the handshake, or all.
void tls_forget(struct tls *tls);

// Of the device: the secret of a new key pair, which is never given again, nor can it be found from what is kept; and tickets.
void tls_ephemeral(uint8_t to[32]);
// Tickets of a connection: with ALPN or without, and by which suite, where that matters. text: the secret, and when it was made, in seconds; zero where it is not good.
void tls_seal_ticket(uint8_t to[TLS_TICKET], const struct tls *tls);
bool tls_open_ticket(uint8_t text[TLS_TICKET_TEXT], const uint8_t ticket[TLS_TICKET], const struct tls *tls, uint32_t now_s);
uint32_t tls_age_add(const uint8_t ticket[TLS_TICKET]);    // section 4.6.1

extern const uint8_t tls_zero[32];
#define TLS_TICKET_S whit_flash_u32(&whit_tls_ticket_s)

#endif
