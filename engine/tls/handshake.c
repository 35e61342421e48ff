// SPDX-License-Identifier: MIT
// From a whole ClientHello to the flight that answers it: which parameters, whether it resumes, the keys of all that
// follows. Step by step, each of a slice or of some.
#include <string.h>

#include "internal.h"
#include "../core/octets.h"
#include "whit/port.h"

#define MESSAGE_HASH 254

enum answer_step {
    ANSWER_HELLO,
    ANSWER_PAIR,
    ANSWER_SHARED,
    ANSWER_EXCHANGE,
    ANSWER_NONCE,
    ANSWER_FINISHED,
    ANSWER_KEYS
};

// Section 4.4.3: the text before the transcript's hash, after 64 blanks.
static const char verify_context[34] WHIT_FLASH = "TLS 1.3, server CertificateVerify";

void tls_open(struct tls *tls, uint16_t record_len)
{
    memset(tls, 0, sizeof *tls);
    tls->kept.record_half = record_len / 2;
    whit_sha256_begin(&tls->hello.sha);
}

// Checks everything that does not depend on a ticket. Returns an alert, or 0.
static uint8_t hello_refused(const struct tls *tls, const struct tls_hello *hello)
{
    uint16_t flags = hello->flags;
    if (!(flags & HELLO_TLS13))
        return TLS_PROTOCOL_VERSION;
    if (flags & HELLO_COMPRESSION)
        return TLS_ILLEGAL_PARAMETER;
    bool has_psk = HELLO_HAS(hello, LIST_IDENTITIES);    // sections 4.2.9 and 9.2
    if (!HELLO_HAS(hello, LIST_GROUPS) || !HELLO_HAS(hello, LIST_SHARES) ||
        !HELLO_HAS(hello, has_psk ? LIST_MODES : LIST_SIGNATURES))
        return TLS_MISSING_EXTENSION;
    if (!(flags & (HELLO_CIPHER | HELLO_AES)) || !(flags & HELLO_GROUP))
        return TLS_HANDSHAKE_FAILURE;
    if (HELLO_HAS(hello, LIST_PROTOCOLS) && !(flags & HELLO_HTTP11))
        return TLS_NO_APPLICATION_PROTOCOL;
    if (has_psk && hello->identities != hello->binders)
        return TLS_ILLEGAL_PARAMETER;
    if (hello->record_limit != 0 && hello->record_limit < TLS_RECORD_MIN)
        return TLS_ILLEGAL_PARAMETER;
    if (tls->retried && (!(flags & HELLO_SHARE) || HELLO_HAS(hello, LIST_EARLY)))
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
    tls->kept.phase = TLS_HELLO;
    tls->kept.out = TLS_RETRY;
}

// The early secret takes the place of `truncated`; psk is zero for a hello without a ticket that is good. Returns an
// alert, or 0.
static uint8_t resume(struct tls *tls, uint32_t now_s)
{
    struct tls_hello *hello = &tls->hello;
    const uint16_t needed = HELLO_TICKET | HELLO_BINDER | HELLO_DHE;
    uint8_t early[32], psk[TLS_TICKET_TEXT] = {0}, hash[32];
    bool good = true;
    tls->resumed = (hello->flags & needed) == needed && tls_open_ticket(psk, hello->ticket, tls, now_s);
    whit_hkdf_extract(early, NULL, 0, psk, 32);
    if (tls->resumed) {
        tls_hash_of_nothing(hash);
        tls_expand(psk, 32, early, LABEL_RES_BINDER, hash, sizeof hash);
        tls_finished(hash, psk, hello->truncated);
        good = whit_equal(hash, hello->binder, sizeof hash);
    }
    if (WHIT_HTTPS_EARLY && tls->resumed && good && HELLO_HAS(hello, LIST_EARLY) &&
        early_accepts(hello, tls_age_add(hello->ticket), load32_be(psk + 32), now_s)) {
        tls->resumed = TLS_RESUMED_EARLY;
        tls->early_left = EARLY_MAX;
        tls_hash_so_far(hash, &hello->sha);
        tls_expand(tls->flight.early_secret, TLS_SECRET, early, LABEL_C_E, hash, sizeof hash);
    }
    memcpy(hello->truncated, early, sizeof early);
    whit_wipe(psk, sizeof psk);
    whit_wipe(early, sizeof early);
    return good ? 0 : TLS_DECRYPT_ERROR;
}

// Computes the digest that CertificateVerify signs.
static void verify_digest(uint8_t digest[32], const struct whit_sha256 *transcript)
{
    uint8_t octets[64];
    struct whit_sha256 sha;
    whit_sha256_begin(&sha);
    memset(octets, ' ', sizeof octets);
    whit_sha256_add(&sha, octets, sizeof octets);
    whit_flash_copy(octets, verify_context, sizeof verify_context);
    whit_sha256_add(&sha, octets, sizeof verify_context);
    tls_hash_so_far(octets, transcript);
    whit_sha256_add(&sha, octets, 32);
    whit_sha256_end(&sha, digest);
}

// Decides whether the hello can be answered, and how. Returns an alert, or 0.
static uint8_t hello_step(struct tls *tls, uint32_t now_s)
{
    struct tls_hello *hello = &tls->hello;
    uint8_t alert = hello_refused(tls, hello);
    if (alert != 0)
        return alert;
#if WHIT_HTTPS_AES
    tls->kept.aes = whit_gcm_is_fast() ? (hello->flags & HELLO_AES_FIRST) != 0 : (hello->flags & HELLO_CIPHER) == 0;
#endif
    tls->early_left = HELLO_HAS(hello, LIST_EARLY) ? TLS_TEXT_MAX + TLS_AROUND : 0;
    if (!(hello->flags & HELLO_SHARE)) {
        retry(tls);
        return 0;
    }
    tls->has_alpn = HELLO_HAS(hello, LIST_PROTOCOLS);
    alert = resume(tls, now_s);
    if (alert != 0)
        return alert;
    if (!tls->resumed && !(hello->flags & HELLO_SIGNATURE))
        return TLS_HANDSHAKE_FAILURE;
    tls->kept.has_limit = hello->record_limit != 0;
    // and its type
    tls->has_ticket = (hello->flags & HELLO_DHE) && (!tls->kept.has_limit || hello->record_limit > FLIGHT_TICKET_LEN);
    if (tls->kept.has_limit && hello->record_limit - 1 < tls_record_len(tls))
        tls->kept.record_half = (hello->record_limit - 1) / 2;
    if (tls->resumed)
        ahead_no_nonce();
    tls->step = ANSWER_PAIR;
    return 0;
}

// Keys of the handshake, and the master secret. The transcript goes up to the certificate. Returns an alert, or 0.
static uint8_t exchange(struct tls *tls)
{
    struct tls_flight *flight = &tls->flight;
    struct whit_sha256 sha = tls->hello.sha;
    uint8_t record[TLS_PLAIN_MAX], early[32], shared[32];
    memcpy(early, tls->hello.truncated, sizeof early);
    whit_wipe(&tls->hello, sizeof tls->hello);
    if (!ahead_take(flight->share, shared)) {
        whit_wipe(early, sizeof early);
        return TLS_ILLEGAL_PARAMETER;
    }
    whit_sha256_add(&sha, record + TLS_HEADER, flight_hello(tls, flight->share, record) - TLS_HEADER);
    tls_hash_so_far(record, &sha);
    tls_stage(shared, early, shared);
    tls_expand(flight->client_secret, TLS_SECRET, shared, LABEL_C_HS, record, 32);
    tls_expand(flight->server_secret, TLS_SECRET, shared, LABEL_S_HS, record, 32);
    tls_stage(tls->master, shared, tls_zero);
    whit_wipe(shared, sizeof shared);
    whit_wipe(early, sizeof early);
    whit_sha256_add(&sha, record, flight_extensions(tls, record));
    for (uint16_t at = 0, len = 64; !tls->resumed && at < whit_tls_certificate_len; at += len) {
        if (len > whit_tls_certificate_len - at)
            len = (uint16_t)(whit_tls_certificate_len - at);
        whit_flash_copy(record, whit_tls_certificate + at, len);
        whit_sha256_add(&sha, record, len);
    }
    tls->transcript = sha;
    tls->step = tls->resumed ? ANSWER_FINISHED : ANSWER_NONCE;
    return 0;
}

// CertificateVerify and Finished.
static bool finished(struct tls *tls)
{
    struct tls_flight *flight = &tls->flight;
    uint8_t octets[FLIGHT_MESSAGE_MAX];
    if (!tls->resumed) {
        verify_digest(octets, &tls->transcript);
        if (!ahead_sign(flight->signature, octets))
            return false;
        whit_sha256_add(&tls->transcript, octets, flight_verify(flight->signature, octets));
    }
    tls_hash_so_far(octets, &tls->transcript);
    tls_finished(flight->server_finished, flight->server_secret, octets);
    uint16_t before = flight_text(tls, 0, 0, NULL) - FLIGHT_FINISHED_LEN;
    flight_text(tls, before, FLIGHT_FINISHED_LEN, octets);
    whit_sha256_add(&tls->transcript, octets, FLIGHT_FINISHED_LEN);
    return true;
}

// Section 7.1, from the master secret on. The client's Finished is computed ahead, and with it the secret of the
// resumption.
static void schedule(struct tls *tls, uint32_t now_s)
{
    struct tls_flight *flight = &tls->flight;
    struct whit_sha256 sha = tls->transcript;
    uint8_t hash[32], master[32], message[FLIGHT_FINISHED_LEN] = {20, 0, 0, 32};
    memcpy(master, tls->master, sizeof master);
    tls_hash_so_far(hash, &sha);
    tls_expand(tls->kept.client, TLS_SECRET, master, LABEL_C_AP, hash, sizeof hash);
    tls_expand(tls->kept.server, TLS_SECRET, master, LABEL_S_AP, hash, sizeof hash);
    if (WHIT_HTTPS_EARLY && tls->resumed == TLS_RESUMED_EARLY) {    // EndOfEarlyData
        whit_sha256_add(&sha, (const uint8_t[]){5, 0, 0, 0}, 4);
        tls_hash_so_far(hash, &sha);
    }
    tls_finished(flight->client_finished, flight->client_secret, hash);
    memcpy(message + 4, flight->client_finished, 32);
    whit_sha256_add(&sha, message, sizeof message);
    tls_hash_so_far(hash, &sha);
    tls_expand(master, sizeof master, master, LABEL_RES_MASTER, hash, sizeof hash);
    tls_expand(flight->psk, sizeof flight->psk, master, LABEL_RESUMPTION, tls_zero, 1);
    whit_wipe(master, sizeof master);
    flight->ticket_s = now_s;
    tls->kept.rx_seq = 0;
    tls->kept.tx_seq = tls->has_ticket;
    tls->finished_len = tls->differs = 0;
    tls->kept.phase = TLS_AWAITING;
    tls->kept.out = TLS_FLIGHT;
}

static enum ahead nonce_step(const struct tls *tls)
{
    uint8_t digest[32];
    verify_digest(digest, &tls->transcript);
    return ahead_nonce(digest);
}

// Returns an alert, or 0.
static uint8_t answer_step(struct tls *tls, uint32_t now_s)
{
    enum ahead ahead = AHEAD_MORE;
    switch (tls->step) {
    case ANSWER_HELLO:
        return hello_step(tls, now_s);
    case ANSWER_PAIR:
        ahead = ahead_amid_nonce() ? ahead_nonce(NULL) : ahead_pair();
        break;
    case ANSWER_SHARED:
        ahead = ahead_shared(tls->hello.share);
        break;
    case ANSWER_EXCHANGE:
        return exchange(tls);
    case ANSWER_NONCE:
        ahead = nonce_step(tls);
        break;
    case ANSWER_FINISHED:
        if (!finished(tls))
            return TLS_HANDSHAKE_FAILURE;
        tls->step = ANSWER_KEYS;
        break;
    default:
        schedule(tls, now_s);
        break;
    }
    if (ahead == AHEAD_READY)
        tls->step++;
    return ahead == AHEAD_NONE ? TLS_HANDSHAKE_FAILURE : 0;
}

void tls_work(struct tls *tls, uint32_t now_s)
{
    uint8_t alert = answer_step(tls, now_s);
    if (alert != 0) {
        tls_give_up();
        tls_close(tls, alert);
    }
}

void tls_give_up(void)
{
    ahead_give_up();
}

bool tls_prepare(void)
{
    return ahead_pair() == AHEAD_MORE || ahead_nonce(NULL) == AHEAD_MORE;
}

void tls_answer(struct tls *tls, uint32_t now_s)
{
    while (tls->kept.phase == TLS_HEARD)
        tls_work(tls, now_s);
}
