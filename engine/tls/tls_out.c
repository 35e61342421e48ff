// SPDX-License-Identifier: MIT
// Records by their position on the wire: each is sealed again whenever it is asked for.
#include <string.h>

#include "tls_aead.h"
#include "tls_flight.h"
#include "tls_secret.h"
#include "../base/octets.h"

// Section 5: for what stands between and would be confused by handshakes without it.
static const uint8_t change_cipher_spec[6] WHIT_FLASH = {TLS_CHANGE_CIPHER_SPEC, 3, 3, 0, 1, 1};

static uint16_t seal_by(bool aes, const uint8_t *secret, uint32_t seq, uint8_t type, uint8_t *record, uint16_t len)
{
    struct whit_aead_key key;
    struct whit_aead aead;
    uint8_t *text = record + TLS_HEADER;
    memcpy(record, (const uint8_t[]){TLS_APPLICATION, 3, 3}, 3);
    store16_be(record + 3, len + TLS_AROUND - TLS_HEADER);
    text[len++] = type;
    tls_record_key(&key, secret, seq, aes);
#if defined(WHIT_METER)
    whit_meter_sealed(&key, text, len);
#endif
    aead_begin(aes, &aead, &key, record, TLS_HEADER);
    aead_seal(aes, &aead, &key, text, len);
    aead_end(aes, &aead, &key, text + len);
    whit_wipe(&key, sizeof key);
    return len - 1 + TLS_AROUND;
}

static uint16_t seal(const struct tls *tls, const uint8_t *secret, uint32_t seq, uint8_t type, uint8_t *record, uint16_t len)
{
    return seal_by(tls_by_aes(tls), secret, seq, type, record, len);
}

uint16_t tls_seal(const struct tls *tls, uint32_t index, uint8_t *record, uint16_t len)
{
    return seal(tls, tls->kept.server, tls->kept.tx_seq + index, TLS_APPLICATION, record, len);
}

uint32_t tls_records(const struct tls *tls, uint32_t len) { return (len + tls_record_len(tls) - 1) / tls_record_len(tls); }

uint32_t tls_wire_len(const struct tls *tls, uint32_t len) { return len + tls_records(tls, len) * TLS_AROUND; }

void tls_seal_close(const struct tls *tls, uint32_t index, uint8_t *record)
{
    memcpy(record + TLS_HEADER, (const uint8_t[]){1, TLS_CLOSE_NOTIFY}, 2);
    seal(tls, tls->kept.server, tls->kept.tx_seq + index, TLS_IS_ALERT, record, 2);
}

void tls_seal_last(const struct tls_kept *kept, uint8_t *record)
{
#if WHIT_HTTPS_AES
    bool aes = kept->aes;
#else
    bool aes = false;
#endif
    memcpy(record + TLS_HEADER, (const uint8_t[]){1, TLS_CLOSE_NOTIFY}, 2);
    seal_by(aes, kept->server, kept->tx_seq, TLS_IS_ALERT, record, 2);
}

// Numbers do not begin anew (section 5.5): where the next response might not find enough of them, the connection ends; where even an alert
// would not find one, without it.
void tls_response_end(struct tls *tls, uint32_t len, uint32_t more)
{
    uint32_t next = tls->kept.tx_seq + tls_records(tls, len) + more;
    if (next >> TLS_SEQ_BITS != 0) {
        tls->kept.phase = TLS_CLOSED;
        return;
    }
    tls->kept.tx_seq = next;
    if (next >= TLS_SEQ_MAX)
        tls_close(tls, TLS_CLOSE_NOTIFY);
}

// What is not sealed by the handshake's key: all that stands before the flight's records.
static uint16_t plain(const struct tls *tls, uint8_t *to)
{
    if (tls->kept.out == TLS_ALERT) {
        memcpy(to, (const uint8_t[]){TLS_IS_ALERT, 3, 3, 0, 2, 2, tls->kept.alert}, 7);
        return 7;
    }
    uint16_t len = flight_hello(tls, tls->kept.out == TLS_FLIGHT ? tls->flight.share : NULL, to);
    if (tls->kept.out == TLS_RETRY || !tls->retried) {    // once
        whit_flash_copy(to + len, change_cipher_spec, sizeof change_cipher_spec);
        len += sizeof change_cipher_spec;
    }
    return len;
}

// Where records of the handshake's key begin, and where they end.
static uint16_t flight_bounds(const struct tls *tls, uint16_t *begin)
{
    uint8_t record[TLS_PLAIN_MAX];
    *begin = plain(tls, record);
    return *begin + (uint16_t)tls_wire_len(tls, flight_text(tls, 0, 0, NULL));
}

uint16_t tls_out_len(const struct tls *tls)
{
    uint8_t record[TLS_PLAIN_MAX];
    uint16_t begin;
    switch (tls->kept.out) {
    case TLS_RETRY: return plain(tls, record);
    case TLS_FLIGHT:
        begin = flight_bounds(tls, &begin);
        if (tls->has_ticket)
            begin = (uint16_t)(begin + flight_ticket(tls, record) + TLS_AROUND);
        return begin;
    case TLS_UPDATE: return 5 + TLS_AROUND;
    case TLS_ALERT: return tls->kept.alert_is_plain ? 7 : 2 + TLS_AROUND;
    default: return 0;
    }
}

static uint16_t flight_record(const struct tls *tls, uint16_t *from, uint8_t *to)
{
    uint16_t begin, end = flight_bounds(tls, &begin);
    if (*from < begin)
        return plain(tls, to);
    if (*from >= end) {
        *from -= end;
        return seal(tls, tls->kept.server, 0, TLS_HANDSHAKE, to, flight_ticket(tls, to + TLS_HEADER));
    }
    *from -= begin;
    uint16_t whole = tls_record_len(tls) + TLS_AROUND, index = *from / whole, text = index * tls_record_len(tls);
    *from %= whole;
    uint16_t len = flight_text(tls, text, tls_record_len(tls), to + TLS_HEADER) - text;
    if (len > tls_record_len(tls))
        len = tls_record_len(tls);
    return seal(tls, tls->flight.server_secret, index, TLS_HANDSHAKE, to, len);
}

uint16_t tls_out_record(const struct tls *tls, uint16_t *from, uint8_t *to)
{
    uint8_t *text = to + TLS_HEADER;
    switch (tls->kept.out) {
    case TLS_RETRY: return plain(tls, to);
    case TLS_FLIGHT: return flight_record(tls, from, to);
    case TLS_UPDATE:    // of which another is not asked for
        memcpy(text, (const uint8_t[]){24, 0, 0, 1, 0}, 5);
        return seal(tls, tls->kept.server, tls->kept.tx_seq, TLS_HANDSHAKE, to, 5);
    default:
        if (tls->kept.alert_is_plain)
            return plain(tls, to);
        text[0] = tls->kept.alert == TLS_CLOSE_NOTIFY ? 1 : 2;    // warning, fatal
        text[1] = tls->kept.alert;
        return seal(tls, tls->kept.server, tls->kept.tx_seq, TLS_IS_ALERT, to, 2);
    }
}

void tls_out_end(struct tls *tls)
{
    if (tls->kept.out == TLS_UPDATE) {
        if (TLS_FAST)
            tls_forget_key(tls->kept.server);
        tls_expand(tls->kept.server, TLS_SECRET, tls->kept.server, LABEL_UPDATE, NULL, 0);
        tls->kept.tx_seq = 0;
    }
    if (tls->kept.out == TLS_ALERT || (tls->kept.out == TLS_FLIGHT && tls->kept.phase == TLS_OPEN))
        tls_forget(tls);
    tls->kept.out = TLS_NOTHING;
}

void tls_close(struct tls *tls, uint8_t alert)
{
    tls->kept.alert = alert;
    tls->kept.alert_is_plain = tls->kept.phase < TLS_AWAITING;
    tls->kept.phase = TLS_CLOSED;
    tls->kept.out = TLS_ALERT;
}
