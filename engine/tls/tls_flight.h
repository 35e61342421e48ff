// SPDX-License-Identifier: MIT
// The messages of the server's flight as functions of what is kept of it.
#ifndef WHIT_TLS_FLIGHT_H
#define WHIT_TLS_FLIGHT_H

#include "tls.h"

#define FLIGHT_LIMIT 513    // of a client's record, type included, if it lets itself be told (RFC 8449)

// ServerHello, or HelloRetryRequest where `share` is NULL, as a record. Returns its length.
uint8_t flight_hello(const struct tls *tls, const uint8_t *share, uint8_t *to);

// Octets [from, from + len) of the messages that are sealed by the handshake's key; `to` may be NULL with a `len` of 0. Returns how
// many there are in all.
uint16_t flight_text(const struct tls *tls, uint16_t from, uint16_t len, uint8_t *to);

uint8_t flight_extensions(const struct tls *tls, uint8_t *to);     // EncryptedExtensions
uint8_t flight_verify(const uint8_t signature[64], uint8_t *to);    // CertificateVerify
uint8_t flight_ticket(const struct tls *tls, uint8_t *to);          // NewSessionTicket

#define FLIGHT_MESSAGE_MAX 96    // of all of these
#define FLIGHT_FINISHED_LEN 36
#define FLIGHT_TICKET_LEN (4 + 14 + TLS_TICKET + TICKET_EARLY_LEN)
#define TICKET_EARLY_LEN (8 * WHIT_HTTPS_EARLY)    // of it: that early data may come with it

#endif
