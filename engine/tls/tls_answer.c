// SPDX-License-Identifier: MIT
// From a whole ClientHello to the flight that answers it: which parameters, whether it resumes, the keys of all that follows.
#include <string.h>

#include "tls_flight.h"
#include "tls_hello.h"
#include "tls_secret.h"
#include "whit/port.h"

#define MESSAGE_HASH 254

// Section 4.4.3: what stands before the transcript's hash, after 64 blanks.
static const char verify_context[34] WHIT_FLASH = "TLS 1.3, server CertificateVerify";

void tls_open(struct tls *tls, uint16_t record_len)
{
    memset(tls, 0, sizeof *tls);
    tls->record_len = record_len;
    whit_sha256_begin(&tls->hello.sha);
}

// Of what does not depend on a ticket. Returns an alert, or 0.
static uint8_t hello_refused(const struct tls *tls, const struct tls_hello *hello)
{
    uint16_t flags = hello->flags;
    if (!(flags & HELLO_TLS13))
        return TLS_PROTOCOL_VERSION;
    if (flags & HELLO_COMPRESSION)
        return TLS_ILLEGAL_PARAMETER;
    if (!(flags & HELLO_GROUPS) || (!(flags & HELLO_PSK) && !(flags & HELLO_SIGNATURES)))
        return TLS_MISSING_EXTENSION;
    if (!(flags & HELLO_CIPHER) || !(flags & HELLO_GROUP))
        return TLS_HANDSHAKE_FAILURE;
    if ((flags & HELLO_ALPN) && !(flags & HELLO_HTTP11))
        return TLS_NO_APPLICATION_PROTOCOL;
    if ((flags & HELLO_PSK) && hello->identities != hello->binders)
        return TLS_ILLEGAL_PARAMETER;
    if (hello->record_limit != 0 && hello->record_limit < TLS_RECORD_MIN)
        return TLS_ILLEGAL_PARAMETER;
    if (tls->retried && (!(flags & HELLO_SHARE) || (flags & HELLO_EARLY)))
        return TLS_ILLEGAL_PARAMETER;
    return 0;
}

// Section 4.4.1: the first hello becomes its hash. A second one is read.
static void retry(struct tls *tls)
{
    uint8_t record[TLS_PLAIN_MAX], hash[32];
    struct whit_sha256 *sha = &tls->hello.sha;
    whit_sha256_end(sha, hash);
    whit_sha256_begin(sha);
    whit_sha256_add(sha, (const uint8_t[]){MESSAGE_HASH, 0, 0, sizeof hash}, 4);
    whit_sha256_add(sha, hash, sizeof hash);
    whit_sha256_add(sha, record + TLS_HEADER, flight_hello(tls, NULL, record) - TLS_HEADER);
    hello_begin(&tls->hello);
    tls->retried = true;
    tls->phase = TLS_HELLO;
    tls->out = TLS_RETRY;
}

// The early secret; psk is zero for a hello without a ticket that is good. Returns an alert, or 0.
static uint8_t resume(struct tls *tls, uint8_t early[32], uint32_t now_s)
{
    const struct tls_hello *hello = &tls->hello;
    const uint16_t needed = HELLO_TICKET | HELLO_BINDER | HELLO_DHE;
    uint8_t psk[32] = {0}, hash[32], base[32];
    tls->resumed = (hello->flags & needed) == needed && tls_open_ticket(psk, hello->ticket, now_s);
    whit_hkdf_extract(early, NULL, 0, psk, sizeof psk);
    whit_wipe(psk, sizeof psk);
    if (!tls->resumed)
        return 0;
    tls_hash_of_nothing(hash);
    tls_expand(base, sizeof base, early, LABEL_RES_BINDER, hash, sizeof hash);
    tls_finished(hash, base, hello->truncated);
    return whit_equal(hash, hello->binder, sizeof hash) ? 0 : TLS_DECRYPT_ERROR;
}

static bool sign(uint8_t signature[64], const struct whit_sha256 *transcript)
{
    uint8_t octets[64], key[32];
    struct whit_sha256 sha;
    whit_sha256_begin(&sha);
    memset(octets, ' ', sizeof octets);
    whit_sha256_add(&sha, octets, sizeof octets);
    whit_flash_copy(octets, verify_context, sizeof verify_context);
    whit_sha256_add(&sha, octets, sizeof verify_context);
    tls_hash_so_far(octets, transcript);
    whit_sha256_add(&sha, octets, 32);
    whit_sha256_end(&sha, octets);
    whit_tls_key(key);
    bool done = whit_p256_sign(signature, key, octets);
    whit_wipe(key, sizeof key);
    return done;
}

// EncryptedExtensions to Finished: added to the transcript, piece by piece as they are sent.
static bool messages(struct tls *tls, struct whit_sha256 *sha)
{
    struct tls_flight *flight = &tls->flight;
    uint8_t octets[FLIGHT_MESSAGE_MAX];
    whit_sha256_add(sha, octets, flight_extensions(tls, octets));
    if (!tls->resumed) {
        for (uint16_t at = 0, len = 64; at < whit_tls_certificate_len; at += len) {
            if (len > whit_tls_certificate_len - at)
                len = (uint16_t)(whit_tls_certificate_len - at);
            whit_flash_copy(octets, whit_tls_certificate + at, len);
            whit_sha256_add(sha, octets, len);
        }
        if (!sign(flight->signature, sha))
            return false;
        whit_sha256_add(sha, octets, flight_verify(flight->signature, octets));
    }
    tls_hash_so_far(octets, sha);
    tls_finished(flight->server_finished, flight->server_secret, octets);
    uint16_t before = flight_text(tls, 0, 0, NULL) - FLIGHT_FINISHED_LEN;
    flight_text(tls, before, FLIGHT_FINISHED_LEN, octets);
    whit_sha256_add(sha, octets, FLIGHT_FINISHED_LEN);
    return true;
}

// Section 7.1, from the handshake secret on. The client's Finished can be foretold, and so what resumes this connection.
static void schedule(struct tls *tls, struct whit_sha256 *sha, const uint8_t handshake[32])
{
    struct tls_flight *flight = &tls->flight;
    uint8_t hash[32], master[32], finished[FLIGHT_FINISHED_LEN] = {20, 0, 0, 32};
    tls_stage(master, handshake, tls_zero);
    tls_hash_so_far(hash, sha);
    tls_expand(tls->keys.client, TLS_SECRET, master, LABEL_C_AP, hash, sizeof hash);
    tls_expand(tls->keys.server, TLS_SECRET, master, LABEL_S_AP, hash, sizeof hash);
    tls_finished(flight->client_finished, flight->client_secret, hash);
    memcpy(finished + 4, flight->client_finished, 32);
    whit_sha256_add(sha, finished, sizeof finished);
    tls_hash_so_far(hash, sha);
    tls_expand(master, sizeof master, master, LABEL_RES_MASTER, hash, sizeof hash);
    tls_expand(flight->psk, sizeof flight->psk, master, LABEL_RESUMPTION, tls_zero, 1);
    whit_wipe(master, sizeof master);
}

// Keys of the handshake. `shared` becomes the handshake secret. `early`: of resume().
static void exchange(struct tls *tls, struct whit_sha256 *sha, const uint8_t early[32], uint8_t shared[32])
{
    struct tls_flight *flight = &tls->flight;
    uint8_t record[TLS_PLAIN_MAX];
    whit_sha256_add(sha, record + TLS_HEADER, flight_hello(tls, flight->share, record) - TLS_HEADER);
    tls_hash_so_far(record, sha);
    tls_stage(shared, early, shared);
    tls_expand(flight->client_secret, TLS_SECRET, shared, LABEL_C_HS, record, 32);
    tls_expand(flight->server_secret, TLS_SECRET, shared, LABEL_S_HS, record, 32);
}

static uint8_t hello_answer(struct tls *tls, uint32_t now_s)
{
    struct tls_hello *hello = &tls->hello;
    struct whit_sha256 sha;
    uint8_t early[32], shared[32], secret[32], alert = hello_refused(tls, hello);
    if (alert != 0)
        return alert;
    tls->early_left = hello->flags & HELLO_EARLY ? TLS_TEXT_MAX + TLS_AROUND : 0;
    if (!(hello->flags & HELLO_SHARE)) {
        retry(tls);
        return 0;
    }
    alert = resume(tls, early, now_s);
    if (alert != 0)
        return alert;
    if (!tls->resumed && !(hello->flags & HELLO_SIGNATURE))
        return TLS_HANDSHAKE_FAILURE;
    tls->has_alpn = (hello->flags & HELLO_ALPN) != 0;
    tls->has_limit = hello->record_limit != 0;
    tls->has_ticket = (hello->flags & HELLO_DHE) && (!tls->has_limit || hello->record_limit > FLIGHT_TICKET_LEN);    // and its type
    if (tls->has_limit && hello->record_limit - 1 < tls->record_len)
        tls->record_len = hello->record_limit - 1;
    tls_ephemeral(secret);
    bool good = whit_x25519(shared, secret, hello->share);
    sha = hello->sha;
    memset(&tls->flight, 0, sizeof tls->flight);    // what was the hello's
    whit_x25519_public(tls->flight.share, secret);
    whit_wipe(secret, sizeof secret);
    if (!good)
        return TLS_ILLEGAL_PARAMETER;
    exchange(tls, &sha, early, shared);
    if (!messages(tls, &sha))
        return TLS_HANDSHAKE_FAILURE;
    schedule(tls, &sha, shared);
    whit_wipe(shared, sizeof shared);
    whit_wipe(early, sizeof early);
    tls->flight.ticket_s = now_s;
    tls->keys.tx_seq = tls->has_ticket;
    tls->message_len = tls->differs = 0;
    tls->phase = TLS_AWAITING;
    tls->out = TLS_FLIGHT;
    return 0;
}

void tls_answer(struct tls *tls, uint32_t now_s)
{
    uint8_t alert = hello_answer(tls, now_s);
    if (alert != 0)
        tls_close(tls, alert);
}
