// SPDX-License-Identifier: MIT
// Received records (RFC 8446, section 5), in pieces of any length; tcp/tcp_tls.c stores them. Content is decrypted as
// it arrives and passed on at once; it does not count before the tag is verified. The type of a record is after its
// content and before its padding. Therefore the last octet that is not zero is held back, and the zeros after it are
// counted.
#include <string.h>

#include "internal.h"
#include "../core/octets.h"

#define TAG 16
// with its content's type and the tag (RFC 8446 section 5.4); padding counts as content
#define RECORD_MAX (TLS_TEXT_MAX + 1 + 16)
#define CCS_MAX 2    // one before each flight of the client
enum {
    IN_END_OF_EARLY = 5,
    IN_FINISHED = 20,
    IN_KEY_UPDATE = 24,
    IN_HEADER = 4,
    IN_FINISHED_LEN = 36,
    IN_UPDATE_LEN = 5,
    IN_END_LEN = 4
};

static bool is_type(uint8_t octet)
{
    return octet >= TLS_CHANGE_CIPHER_SPEC && octet <= TLS_APPLICATION;
}

// A record's header is whole. Returns an alert, or 0.
static uint8_t record_begin(struct tls *tls, struct tls_partial *in)
{
    uint8_t type = in->header[0];
    in->left = load16_be(in->header + 3);
    if (in->header[1] != 3)
        return TLS_PROTOCOL_VERSION;
    if (type == TLS_CHANGE_CIPHER_SPEC) {
        bool expected = tls->kept.phase == TLS_AWAITING || (tls->kept.phase == TLS_HELLO && tls->retried);
        return expected && in->left == 1 && tls->ccs_cnt++ < CCS_MAX ? 0 : TLS_UNEXPECTED_MESSAGE;
    }
    if (in->left > (type == TLS_APPLICATION ? RECORD_MAX : TLS_TEXT_MAX))
        return TLS_RECORD_OVERFLOW;
    if (type == TLS_IS_ALERT && tls->kept.phase < TLS_OPEN)
        return in->left == 2 ? 0 : TLS_DECODE_ERROR;
    if (tls->kept.phase == TLS_HELLO) {
        if (type == TLS_APPLICATION && tls->retried && tls->early_left >= in->left) {
            tls->early_left -= in->left;
            return 0;
        }
        return type == TLS_HANDSHAKE && in->left > 0 ? 0 : TLS_UNEXPECTED_MESSAGE;
    }
    if (type != TLS_APPLICATION)
        return TLS_UNEXPECTED_MESSAGE;
    return in->left <= TAG ? TLS_BAD_RECORD_MAC : 0;
}

static const uint8_t *client_secret(const struct tls *tls)
{
    if (tls_is_early(tls))
        return tls->flight.early_secret;
    return tls->kept.phase == TLS_AWAITING ? tls->flight.client_secret : tls->kept.client;
}

// Returns the octets of a message that earlier records brought. They belong to `expected`.
static uint8_t message_was(const struct tls *tls)
{
    return tls->kept.phase == TLS_AWAITING ? tls->finished_len : tls->kept.message_len;
}

// The only message that may come now: its type, and how long it is.
static uint8_t message_expected(const struct tls *tls, uint8_t *len)
{
    bool awaiting = tls->kept.phase == TLS_AWAITING, early = tls_is_early(tls);
    *len = early ? IN_END_LEN : awaiting ? IN_FINISHED_LEN : IN_UPDATE_LEN;
    return early ? IN_END_OF_EARLY : awaiting ? IN_FINISHED : IN_KEY_UPDATE;
}

// Takes octet `at` of a possible message, verified or not.
static void message_octet(struct tls *tls, struct tls_partial *in, uint16_t at, uint8_t octet)
{
    if (at < sizeof in->message)
        in->message[at] = octet;
    if (tls->kept.phase == TLS_AWAITING && !tls_is_early(tls) && at >= IN_HEADER && at < IN_FINISHED_LEN)
        tls->differs |= octet ^ tls->flight.client_finished[at - IN_HEADER];
}

// All that is decrypted of a piece and known to be no type goes to `got`.
static void text_in(struct tls *tls, struct tls_partial *in, const uint8_t *piece, uint8_t len, struct tls_got *got)
{
    uint8_t last = len;
    while (last > 0 && piece[last - 1] == 0)
        last--;
    if (last == 0) {
        in->zeros += len;
        return;
    }
    got->zeros_at = in->has_held;
    got->zeros = in->zeros;
    got->text[0] = in->held;
    got->len = (uint8_t)(got->zeros_at + last - 1);
    memcpy(got->text + got->zeros_at, piece, last - 1);
    in->held = piece[last - 1];
    in->has_held = true;
    in->zeros = len - last;
    uint16_t len_told = got->len + got->zeros, at = message_was(tls) + in->text_len;
    for (uint16_t i = 0; i < len_told && at < IN_FINISHED_LEN; i++, at++) {
        bool zero = i >= got->zeros_at && i < got->zeros_at + got->zeros;
        message_octet(tls, in, at, zero ? 0 : got->text[i < got->zeros_at ? i : i - got->zeros]);
    }
    in->text_len += len_told;
}

// EndOfEarlyData: the next records use the handshake's key. It answers our Finished. Returns an alert, or 0.
static uint8_t early_end_in(struct tls *tls)
{
    if (tls->kept.out == TLS_FLIGHT)
        return TLS_UNEXPECTED_MESSAGE;
    tls->resumed = TLS_RESUMED;
    tls->handshake_seq = tls->early_left = 0;
    return 0;
}

// Early data that is verified. Returns an alert, or 0.
static uint8_t early_text_in(struct tls *tls, uint16_t len)
{
    if (len > tls->early_left)
        return TLS_UNEXPECTED_MESSAGE;
    tls->early_left -= len;
    return 0;
}

// The client's Finished. Returns an alert, or 0.
static uint8_t finished_in(struct tls *tls)
{
    if (tls->differs != 0)
        return TLS_DECRYPT_ERROR;
    tls->kept.phase = TLS_OPEN;
    if (tls->kept.out == TLS_NOTHING)    // else the flight may still be wanted
        tls_forget(tls);
    return 0;
}

// Section 4.6.3: the client's next key. Ours follows when the client requests it and our answer has arrived. Returns an
// alert, or 0.
static uint8_t update_in(struct tls *tls, uint8_t asks)
{
    if (asks > 1)
        return TLS_ILLEGAL_PARAMETER;
    if (TLS_FAST)
        tls_forget_key(tls->kept.client);
    tls_expand(tls->kept.client, TLS_SECRET, tls->kept.client, LABEL_UPDATE, NULL, 0);
    tls->kept.rx_seq = 0;
    if (asks == 1)
        tls->kept.out = TLS_UPDATE;
    return 0;
}

// Handles a verified message, or a part of it. Returns an alert, or 0.
static uint8_t handshake_in(struct tls *tls, const struct tls_partial *in)
{
    uint16_t len = message_was(tls) + in->text_len;
    uint8_t all_len, type = message_expected(tls, &all_len);
    const uint8_t *message = in->message;
    bool awaiting = tls->kept.phase == TLS_AWAITING, early = tls_is_early(tls), whole = len == all_len;
    if (message[0] != type)
        return TLS_UNEXPECTED_MESSAGE;
    if ((message[1] | message[2]) != 0 || message[3] != all_len - IN_HEADER)
        return TLS_DECODE_ERROR;
    if (len > all_len)
        return TLS_UNEXPECTED_MESSAGE;
    if (awaiting)
        tls->finished_len = whole ? 0 : (uint8_t)len;
    else
        tls->kept.message_len = whole ? 0 : len;
    if (!whole)
        return 0;
    return early ? early_end_in(tls) : awaiting ? finished_in(tls) : update_in(tls, message[4]);
}

// An alert of the client ends the connection. Of the alerts that mean no failure, one is answered.
static void alert_in(struct tls *tls, uint8_t alert)
{
    if (tls->kept.phase == TLS_OPEN && alert == TLS_CLOSE_NOTIFY) {
        tls_close(tls, TLS_CLOSE_NOTIFY);
    } else {
        tls->kept.phase = TLS_CLOSED;
        tls->kept.out = TLS_NOTHING;
        tls->kept.alert = alert;    // logged, not sent
        tls_forget(tls);
    }
}

// A record is verified. Returns an alert, or 0.
static uint8_t record_in(struct tls *tls, const struct tls_partial *in, struct tls_got *got)
{
    bool is_alone = message_was(tls) == 0, awaiting = tls->kept.phase == TLS_AWAITING, early = tls_is_early(tls);
    uint8_t type = in->has_held ? in->held : 0;
    if (awaiting) {
        tls->handshake_seq++;
        if (!early)
            tls->early_left = 0;
    } else if (++tls->kept.rx_seq == 0) {    // a sequence number must not be repeated (section 5.5)
        return TLS_UNEXPECTED_MESSAGE;
    }
    if (in->text_len > TLS_TEXT_MAX)
        return TLS_RECORD_OVERFLOW;
    if (type == TLS_APPLICATION && (!awaiting || early) && is_alone) {
        uint8_t alert = early ? early_text_in(tls, in->text_len) : 0;
        if (alert == 0)
            got->event = TLS_RECORD;
        return alert;
    }
    if (type == TLS_IS_ALERT && is_alone) {
        if (in->text_len != 2)
            return in->text_len == 0 ? TLS_UNEXPECTED_MESSAGE : TLS_DECODE_ERROR;
        alert_in(tls, in->message[1]);
        return 0;
    }
    if (type != TLS_HANDSHAKE || in->text_len == 0)
        return TLS_UNEXPECTED_MESSAGE;
    return handshake_in(tls, in);
}

// The last octet of a tag is here. Returns an alert, or 0.
static uint8_t record_end(struct tls *tls, const struct tls_partial *in, struct tls_got *got)
{
    got->event = TLS_FORGET;
    if (in->differs == 0)
        return record_in(tls, in, got);
    uint16_t len = load16_be(in->header + 3);
    if (tls->kept.phase != TLS_AWAITING || tls_is_early(tls) || tls->early_left < len)
        return TLS_BAD_RECORD_MAC;
    tls->early_left -= len;                  // early data, which is refused by not being read (section 4.2.10)
    tls->finished_len = tls->differs = 0;    // Finished has not begun
    return 0;
}

// Reads a sealed record up to the end of a block of the key stream, or of the tag. Returns the octets taken.
static uint16_t sealed(struct tls *tls, struct tls_partial *in, const uint8_t *octets, uint16_t len,
                       struct tls_got *got, uint8_t *alert)
{
    struct whit_aead_key key;
    uint8_t all_len;
    bool aes = tls_by_aes(tls);
    uint16_t text_left = in->left > TAG ? in->left - TAG : 0, taken = 0;
    tls_record_key(&key, client_secret(tls), tls->kept.phase == TLS_AWAITING ? tls->handshake_seq : tls->kept.rx_seq,
                   aes);
    if (in->left == load16_be(in->header + 3)) {
        aead_begin(aes, &in->aead, &key, in->header, TLS_HEADER);
        in->zeros = in->text_len = 0;
        in->has_held = false;
        in->differs = 0;
        // the expected message, if it is not passed: it was there before, or is still to come
        memset(in->message, 0, sizeof in->message);
        in->message[0] = message_expected(tls, &all_len);
        in->message[3] = all_len - IN_HEADER;
    }
    if (text_left > 0) {
        uint8_t piece[TLS_PIECE];
        taken = TLS_PIECE - in->aead.len % TLS_PIECE;
        taken = taken < len ? taken : len;
        taken = taken < text_left ? taken : text_left;
        aead_open(aes, &in->aead, &key, piece, octets, taken);
        in->left -= taken;
        text_in(tls, in, piece, (uint8_t)taken, got);
        if ((tls->kept.phase == TLS_OPEN || tls_is_early(tls)) && got->len + got->zeros > 0)
            got->event = TLS_TEXT;
        if (in->left == TAG)    // the expected tag takes the place of ciphertext
            aead_end(aes, &in->aead, &key, in->aead.block);
    } else {
        for (; taken < len && in->left > 0; in->left--)
            in->differs |= in->aead.block[TAG - in->left] ^ octets[taken++];
        if (in->left == 0)
            *alert = record_end(tls, in, got);
    }
    whit_wipe(&key, sizeof key);
    return taken;
}

// An octet of a record that is not sealed. Returns an alert, or 0.
static uint8_t plain_octet(struct tls *tls, struct tls_partial *in, uint8_t octet)
{
    in->left--;
    switch (in->header[0]) {
    case TLS_CHANGE_CIPHER_SPEC:
        return octet == 1 ? 0 : TLS_UNEXPECTED_MESSAGE;
    case TLS_IS_ALERT:
        if (in->left == 0)
            alert_in(tls, octet);
        return 0;
    case TLS_APPLICATION:
        return 0;    // early data
    default:
        break;
    }
    uint8_t alert = hello_octet(tls, octet);
    if (alert == 0 && hello_is_whole(&tls->hello)) {
        tls->kept.phase = TLS_HEARD;
        return in->left > 0 ? TLS_UNEXPECTED_MESSAGE : 0;
    }
    return alert;
}

// True if octets may be taken: until the client's Finished, only the flight may be in progress.
static bool may_take(const struct tls *tls)
{
    return tls->kept.phase == TLS_HELLO || tls->kept.phase == TLS_AWAITING ||
           (tls->kept.phase == TLS_OPEN && tls->kept.out == TLS_NOTHING);
}

uint16_t tls_in(struct tls *tls, struct tls_partial *in, const uint8_t *octets, uint16_t len, struct tls_got *got)
{
    uint16_t taken = 0;
    uint8_t alert = 0;
    got->event = TLS_NONE;
    got->len = 0;
    got->zeros = 0;
    while (taken < len && got->event == TLS_NONE && may_take(tls)) {
        if (in->header_len < TLS_HEADER) {
            in->header[in->header_len++] = octets[taken++];
            if (in->header_len == TLS_HEADER)
                alert = record_begin(tls, in);
            else if (tls->kept.phase == TLS_HELLO && !is_type(in->header[0]))
                alert = TLS_PROTOCOL_VERSION;    // octets that are not TLS keep no slot until there are five of them
        } else if (in->header[0] == TLS_APPLICATION && tls->kept.phase >= TLS_AWAITING) {
            taken += sealed(tls, in, octets + taken, len - taken, got, &alert);
        } else {
            alert = plain_octet(tls, in, octets[taken++]);
        }
        if (alert != 0)
            tls_close(tls, alert);
        if (in->header_len == TLS_HEADER && in->left == 0)
            in->header_len = 0;
    }
    return taken;
}

// ------------------------------------------------------------------------------------------------ records out

// Records by their position on the wire: each is sealed again for each transmission.

// Section 5: for middleboxes that would be confused by handshakes without it.
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

static uint16_t seal(const struct tls *tls, const uint8_t *secret, uint32_t seq, uint8_t type, uint8_t *record,
                     uint16_t len)
{
    return seal_by(tls_by_aes(tls), secret, seq, type, record, len);
}

uint16_t tls_seal(const struct tls *tls, uint32_t index, uint8_t *record, uint16_t len)
{
    return seal(tls, tls->kept.server, tls->kept.tx_seq + index, TLS_APPLICATION, record, len);
}

uint32_t tls_records(const struct tls *tls, uint32_t len)
{
    return (len + tls_record_len(tls) - 1) / tls_record_len(tls);
}

uint32_t tls_wire_len(const struct tls *tls, uint32_t len)
{
    return len + tls_records(tls, len) * TLS_AROUND;
}

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

// Ends the connection before its record numbers are used up (section 5.5): if the next response might not find enough
// of them. If none is left for an alert, it ends without one.
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

// Writes the octets that the handshake's key does not seal: all octets before the flight's records.
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

// Returns the begin and the end of the records with the handshake's key.
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
    case TLS_RETRY:
        return plain(tls, record);
    case TLS_FLIGHT:
        begin = flight_bounds(tls, &begin);
        if (tls->has_ticket)
            begin = (uint16_t)(begin + flight_ticket(tls, record) + TLS_AROUND);
        return begin;
    case TLS_UPDATE:
        return 5 + TLS_AROUND;
    case TLS_ALERT:
        return tls->kept.alert_is_plain ? 7 : 2 + TLS_AROUND;
    default:
        return 0;
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
    case TLS_RETRY:
        return plain(tls, to);
    case TLS_FLIGHT:
        return flight_record(tls, from, to);
    case TLS_UPDATE:    // another update is not requested
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
