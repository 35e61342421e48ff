// SPDX-License-Identifier: MIT
// Messages of RFC 8446, section 4.
#include <string.h>

#include "internal.h"
#include "../core/octets.h"
#include "whit/port.h"

enum { SERVER_HELLO = 2, NEW_SESSION_TICKET = 4, ENCRYPTED_EXTENSIONS = 8, CERTIFICATE_VERIFY = 15, FINISHED = 20 };

// Section 4.1.3: the random of a HelloRetryRequest.
static const uint8_t retry_random[32] WHIT_FLASH = {
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
    0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
};
// Cipher suite, of which the other differs in its last octet, no compression; where the length of the extensions is;
// supported_versions.
static const uint8_t hello_suite[] WHIT_FLASH = {0x13, 0x03, 0};
static const uint8_t hello_version[] WHIT_FLASH = {0, 43, 0, 2, 3, 4};
static const uint8_t hello_psk[] WHIT_FLASH = {0, 41, 0, 2, 0, 0};
static const uint8_t extension_alpn[] WHIT_FLASH = {0, 16, 0, 11, 0, 9, 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
static const uint8_t extension_limit[] WHIT_FLASH = {0, 28, 0, 2, FLIGHT_LIMIT >> 8, FLIGHT_LIMIT & 255};

static const uint8_t extension_early[] WHIT_FLASH = {0, 42, 0, 0};

#define COPY(to, from) (whit_flash_copy(to, from, sizeof(from)), (to) + sizeof(from))

static uint8_t *message_header(uint8_t *to, uint8_t type, uint16_t len)
{
    to[0] = type;
    to[1] = 0;
    store16_be(to + 2, len);
    return to + 4;
}

// Writes the server's random. It need not be stored: it is a hash of its share, which is unique and as unpredictable.
static void hello_random(uint8_t *to, const uint8_t *share)
{
    whit_hkdf_extract(to, NULL, 0, share, 32);
}

uint8_t flight_hello(const struct tls *tls, const uint8_t *share, uint8_t *to)
{
    uint8_t *at = to + TLS_HEADER + 4, *extensions;
    *at++ = 3;
    *at++ = 3;
    if (share != NULL)
        hello_random(at, share);
    else
        whit_flash_copy(at, retry_random, sizeof retry_random);
    at += 32;
    *at++ = tls->session_id_len;
    memcpy(at, tls->session_id, tls->session_id_len);
    extensions = COPY(at + tls->session_id_len, hello_suite);
    if (tls_by_aes(tls))
        extensions[-2] = AES_128_GCM_SHA256 & 0xff;
    at = COPY(extensions + 2, hello_version);
    memcpy(at, (const uint8_t[]){0, 51, 0, share != NULL ? 36 : 2, 0, 0x1d}, 6);
    at += 6;
    if (share != NULL) {
        store16_be(at, 32);
        memcpy(at + 2, share, 32);
        at += 34;
    }
    if (share != NULL && tls->resumed)
        at = COPY(at, hello_psk);
    store16_be(extensions, (uint16_t)(at - extensions - 2));
    message_header(to + TLS_HEADER, SERVER_HELLO, (uint16_t)(at - to - TLS_HEADER - 4));
    memcpy(to, (const uint8_t[]){TLS_HANDSHAKE, 3, 3}, 3);
    store16_be(to + 3, (uint16_t)(at - to - TLS_HEADER));
    return (uint8_t)(at - to);
}

uint8_t flight_extensions(const struct tls *tls, uint8_t *to)
{
    uint8_t *at = to + 6;
    if (tls->has_alpn)
        at = COPY(at, extension_alpn);
    if (tls->kept.has_limit)
        at = COPY(at, extension_limit);
    if (WHIT_HTTPS_EARLY && tls->resumed == TLS_RESUMED_EARLY)
        at = COPY(at, extension_early);
    message_header(to, ENCRYPTED_EXTENSIONS, (uint16_t)(at - to - 4));
    store16_be(to + 4, (uint16_t)(at - to - 6));
    return (uint8_t)(at - to);
}

// An INTEGER of DER: no zero octets in front but one, where it would be negative.
static uint8_t *der_integer(uint8_t *to, const uint8_t *number)
{
    uint8_t zeros = 0;
    while (zeros < 31 && number[zeros] == 0)
        zeros++;
    uint8_t sign = number[zeros] >> 7, len = 32 - zeros;
    to[0] = 2;
    to[1] = len + sign;
    to[2] = 0;
    memcpy(to + 2 + sign, number + zeros, len);
    return to + 2 + sign + len;
}

uint8_t flight_verify(const uint8_t signature[64], uint8_t *to)
{
    uint8_t *end = der_integer(der_integer(to + 10, signature), signature + 32);
    uint8_t len = (uint8_t)(end - to);
    message_header(to, CERTIFICATE_VERIFY, len - 4);
    memcpy(to + 4, (const uint8_t[]){4, 3, 0, len - 8, 0x30, len - 10}, 6);
    return len;
}

uint8_t flight_ticket(const struct tls *tls, uint8_t *to)
{
    const struct tls_flight *flight = &tls->flight;
    uint8_t *at = message_header(to, NEW_SESSION_TICKET, FLIGHT_TICKET_LEN - 4);
    store32_be(at, TLS_TICKET_S);
    memcpy(at + 4, flight->server_finished, 4);    // ticket_age_add: no peer has seen these octets
    memcpy(at + 8, (const uint8_t[]){1, 0, 0, TLS_TICKET}, 4);
    tls_seal_ticket(at + 12, tls);
    store16_be(at + 12 + TLS_TICKET, TICKET_EARLY_LEN);
    if (WHIT_HTTPS_EARLY) {
        store32_be(at + 4, tls_age_add(at + 12));
        memcpy(at + 14 + TLS_TICKET, (const uint8_t[]){0, 42, 0, 4}, 4);
        store32_be(at + 18 + TLS_TICKET, EARLY_MAX);
    }
    return FLIGHT_TICKET_LEN;
}

// Octets that are wanted, from the next message on; `all` is the length of the messages before.
struct wanted {
    uint16_t from, len, all;
    uint8_t *to;
};

static void take(struct wanted *wanted, const uint8_t *message, uint16_t message_len, bool in_flash)
{
    wanted->all += message_len;
    if (wanted->from >= message_len) {
        wanted->from -= message_len;
        return;
    }
    uint16_t len = message_len - wanted->from;
    if (len > wanted->len)
        len = wanted->len;
    if (len > 0) {
        if (in_flash)
            whit_flash_copy(wanted->to, message + wanted->from, len);
        else
            memcpy(wanted->to, message + wanted->from, len);
        wanted->to += len;
        wanted->len -= len;
    }
    wanted->from = 0;
}

uint16_t flight_text(const struct tls *tls, uint16_t from, uint16_t len, uint8_t *to)
{
    struct wanted wanted = {from, len, 0, to};
    uint8_t message[FLIGHT_MESSAGE_MAX];
    take(&wanted, message, flight_extensions(tls, message), false);
    if (!tls->resumed) {
        take(&wanted, whit_tls_certificate, whit_tls_certificate_len, true);
        take(&wanted, message, flight_verify(tls->flight.signature, message), false);
    }
    message_header(message, FINISHED, 32);
    memcpy(message + 4, tls->flight.server_finished, 32);
    take(&wanted, message, FLIGHT_FINISHED_LEN, false);
    return wanted.all;
}
