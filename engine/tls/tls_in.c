// SPDX-License-Identifier: MIT
// Records that come in (RFC 8446, section 5), in any split. Content is decrypted as it comes and told at once; nothing of it counts
// before its tag does. The type of a record stands behind its content and before its padding: so the last octet that is not zero is
// held back, and the zeros behind it are counted.
#include <string.h>

#include "tls_hello.h"
#include "tls_secret.h"
#include "../base/octets.h"

#define TAG 16
#define RECORD_MAX (TLS_TEXT_MAX + 256)
#define CCS_MAX 2    // one before each flight of the client
enum { IN_END_OF_EARLY = 5, IN_FINISHED = 20, IN_KEY_UPDATE = 24, IN_FINISHED_LEN = 36, IN_UPDATE_LEN = 5, IN_END_LEN = 4 };

// A record's header is whole. Returns an alert, or 0.
static uint8_t record_begin(struct tls *tls)
{
    struct tls_partial *in = &tls->in;
    uint8_t type = in->header[0];
    in->left = load16_be(in->header + 3);
    if (in->header[1] != 3)
        return TLS_PROTOCOL_VERSION;
    if (type == TLS_CHANGE_CIPHER_SPEC) {
        bool expected = tls->phase == TLS_AWAITING || (tls->phase == TLS_HELLO && tls->retried);
        return expected && in->left == 1 && tls->ccs_cnt++ < CCS_MAX ? 0 : TLS_UNEXPECTED_MESSAGE;
    }
    if (in->left > (type == TLS_APPLICATION ? RECORD_MAX : TLS_TEXT_MAX))
        return TLS_RECORD_OVERFLOW;
    if (type == TLS_IS_ALERT && tls->phase < TLS_OPEN)
        return in->left == 2 ? 0 : TLS_DECODE_ERROR;
    if (tls->phase == TLS_HELLO) {
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
    return tls->phase == TLS_AWAITING ? tls->flight.client_secret : tls->keys.client;
}

// Octets of a message that may be the client's Finished or a KeyUpdate, verified or not.
static void message_octet(struct tls *tls, uint8_t octet)
{
    uint16_t at = tls->message_len;
    if (at < sizeof tls->message)
        tls->message[at] = octet;
    if (tls->phase == TLS_AWAITING && !tls_is_early(tls) && at >= 4 && at < IN_FINISHED_LEN)
        tls->differs |= octet ^ tls->flight.client_finished[at - 4];
    if (at < UINT16_MAX)
        tls->message_len++;
}

// All that is decrypted of a piece and known to be no type goes to `got`.
static void text_in(struct tls *tls, const uint8_t *piece, uint8_t len, struct tls_got *got)
{
    struct tls_partial *in = &tls->in;
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
    uint16_t len_told = got->len + got->zeros;
    in->text_len += len_told;
    for (uint16_t i = 0; i < len_told; i++) {
        if (TLS_FAST && tls->phase == TLS_OPEN && tls->message_len >= sizeof tls->message) {    // no more of it is looked at
            uint16_t rest = len_told - i;
            tls->message_len = rest < UINT16_MAX - tls->message_len ? tls->message_len + rest : UINT16_MAX;
            break;
        }
        bool zero = i >= got->zeros_at && i < got->zeros_at + got->zeros;
        message_octet(tls, zero ? 0 : got->text[i < got->zeros_at ? i : i - got->zeros]);
    }
}

// EndOfEarlyData, or a part of it: what follows is under the handshake's key. It answers our Finished. Returns an alert, or 0.
static uint8_t early_end_in(struct tls *tls)
{
    uint16_t len = tls->message_len;
    if (tls->message[0] != IN_END_OF_EARLY || len > IN_END_LEN || tls->out == TLS_FLIGHT)
        return TLS_UNEXPECTED_MESSAGE;
    if (len < IN_END_LEN)
        return 0;
    if (tls->message[1] != 0 || tls->message[2] != 0 || tls->message[3] != 0)
        return TLS_DECODE_ERROR;
    tls->resumed = TLS_RESUMED;
    tls->message_len = tls->handshake_seq = tls->early_left = 0;
    return 0;
}

// Early data that is verified. Returns an alert, or 0.
static uint8_t early_text_in(struct tls *tls)
{
    if (tls->in.text_len > tls->early_left)
        return TLS_UNEXPECTED_MESSAGE;
    tls->early_left -= tls->in.text_len;
    return 0;
}

// The client's Finished, or a part of it. Returns an alert, or 0.
static uint8_t finished_in(struct tls *tls)
{
    uint16_t len = tls->message_len;
    if (tls->message[0] != IN_FINISHED)
        return TLS_UNEXPECTED_MESSAGE;
    if (len >= 4 && (tls->message[1] != 0 || tls->message[2] != 0 || tls->message[3] != IN_FINISHED_LEN - 4))
        return TLS_DECODE_ERROR;
    if (len > IN_FINISHED_LEN)
        return TLS_UNEXPECTED_MESSAGE;
    if (len < IN_FINISHED_LEN)
        return 0;
    if (tls->differs != 0)
        return TLS_DECRYPT_ERROR;
    tls->phase = TLS_OPEN;
    tls->message_len = 0;
    if (tls->out == TLS_NOTHING)    // else the flight may still be wanted
        tls_forget(tls);
    return 0;
}

// Section 4.6.3: the client's next key; ours follows when it asks for that and our answer has arrived.
static uint8_t update_in(struct tls *tls)
{
    uint16_t len = tls->message_len;
    if (tls->message[0] != IN_KEY_UPDATE || len > IN_UPDATE_LEN)
        return TLS_UNEXPECTED_MESSAGE;
    if (len >= 4 && (tls->message[1] != 0 || tls->message[2] != 0 || tls->message[3] != 1))
        return TLS_DECODE_ERROR;
    if (len < IN_UPDATE_LEN)
        return 0;
    if (tls->message[4] > 1)
        return TLS_ILLEGAL_PARAMETER;
    if (TLS_FAST)
        tls_forget_key(tls->keys.client);
    tls_expand(tls->keys.client, TLS_SECRET, tls->keys.client, LABEL_UPDATE, NULL, 0);
    tls->keys.rx_seq = 0;
    tls->message_len = 0;
    if (tls->message[4] == 1)
        tls->out = TLS_UPDATE;
    return 0;
}

// An alert of the client ends the connection; of those that mean no failure, one is answered.
static void alert_in(struct tls *tls, uint8_t alert)
{
    if (tls->phase == TLS_OPEN && alert == TLS_CLOSE_NOTIFY) {
        tls_close(tls, TLS_CLOSE_NOTIFY);
    } else {
        tls->phase = TLS_CLOSED;
        tls->out = TLS_NOTHING;
        tls_forget(tls);
    }
}

// A record is verified. Returns an alert, or 0.
static uint8_t record_in(struct tls *tls, struct tls_got *got)
{
    struct tls_partial *in = &tls->in;
    uint16_t was = tls->message_was;
    bool awaiting = tls->phase == TLS_AWAITING, early = tls_is_early(tls);
    uint8_t type = in->has_held ? in->held : 0;
    if (awaiting) {
        tls->handshake_seq++;
        if (!early)
            tls->early_left = 0;
    } else if (++tls->keys.rx_seq == 0) {    // a number must not come again (section 5.5)
        return TLS_UNEXPECTED_MESSAGE;
    }
    if (in->text_len > TLS_TEXT_MAX)
        return TLS_RECORD_OVERFLOW;
    if (type == TLS_APPLICATION && (!awaiting || early) && was == 0) {
        uint8_t alert = early ? early_text_in(tls) : 0;
        tls->message_len = 0;
        if (alert == 0)
            got->event = TLS_RECORD;
        return alert;
    }
    if (type == TLS_IS_ALERT && was == 0) {
        if (in->text_len != 2)
            return in->text_len == 0 ? TLS_UNEXPECTED_MESSAGE : TLS_DECODE_ERROR;
        alert_in(tls, tls->message[1]);
        return 0;
    }
    if (type != TLS_HANDSHAKE || in->text_len == 0)
        return TLS_UNEXPECTED_MESSAGE;
    if (early)
        return early_end_in(tls);
    return awaiting ? finished_in(tls) : update_in(tls);
}

// The last octet of a tag is here. Returns an alert, or 0.
static uint8_t record_end(struct tls *tls, struct tls_got *got)
{
    struct tls_partial *in = &tls->in;
    got->event = TLS_FORGET;
    if (in->differs == 0)
        return record_in(tls, got);
    uint16_t len = load16_be(in->header + 3);
    if (tls->phase != TLS_AWAITING || tls_is_early(tls) || tls->early_left < len)
        return TLS_BAD_RECORD_MAC;
    tls->early_left -= len;    // of early data, which is refused by not being read (section 4.2.10)
    tls->message_len = tls->differs = 0;    // Finished has not begun
    return 0;
}

// Of a sealed record: up to the end of a block of the key stream, or of the tag. Returns how many octets were taken.
static uint16_t sealed(struct tls *tls, const uint8_t *octets, uint16_t len, struct tls_got *got, uint8_t *alert)
{
    struct tls_partial *in = &tls->in;
    struct whit_aead_key key;
    uint16_t text_left = in->left > TAG ? in->left - TAG : 0, taken = 0;
    tls_record_key(&key, client_secret(tls), tls->phase == TLS_AWAITING ? tls->handshake_seq : tls->keys.rx_seq);
    if (in->left == load16_be(in->header + 3)) {
        whit_aead_begin(&in->aead, &key, in->header, TLS_HEADER);
        in->zeros = in->text_len = 0;
        in->has_held = false;
        in->differs = 0;
        tls->message_was = tls->message_len;
    }
    if (text_left > 0) {
        uint8_t piece[TLS_PIECE];
        taken = TLS_PIECE - in->aead.len % TLS_PIECE;
        taken = taken < len ? taken : len;
        taken = taken < text_left ? taken : text_left;
        whit_aead_open(&in->aead, &key, piece, octets, taken);
        in->left -= taken;
        text_in(tls, piece, (uint8_t)taken, got);
        if ((tls->phase == TLS_OPEN || tls_is_early(tls)) && got->len + got->zeros > 0)
            got->event = TLS_TEXT;
        if (in->left == TAG)    // what the tag has to be takes the place of ciphertext
            whit_aead_end(&in->aead, &key, in->aead.block);
    } else {
        for (; taken < len && in->left > 0; in->left--)
            in->differs |= in->aead.block[TAG - in->left] ^ octets[taken++];
        if (in->left == 0)
            *alert = record_end(tls, got);
    }
    whit_wipe(&key, sizeof key);
    return taken;
}

// An octet of a record that is not sealed. Returns an alert, or 0.
static uint8_t plain_octet(struct tls *tls, uint8_t octet)
{
    struct tls_partial *in = &tls->in;
    in->left--;
    switch (in->header[0]) {
    case TLS_CHANGE_CIPHER_SPEC: return octet == 1 ? 0 : TLS_UNEXPECTED_MESSAGE;
    case TLS_IS_ALERT:
        if (in->left == 0)
            alert_in(tls, octet);
        return 0;
    case TLS_APPLICATION: return 0;    // early data
    default: break;
    }
    uint8_t alert = hello_octet(tls, octet);
    if (alert == 0 && hello_is_whole(&tls->hello)) {
        tls->phase = TLS_HEARD;
        return in->left > 0 ? TLS_UNEXPECTED_MESSAGE : 0;
    }
    return alert;
}

// Whether octets may be taken: the flight is all that may be under way meanwhile, until the client's Finished.
static bool may_take(const struct tls *tls)
{
    return tls->phase == TLS_HELLO || tls->phase == TLS_AWAITING || (tls->phase == TLS_OPEN && tls->out == TLS_NOTHING);
}

uint16_t tls_in(struct tls *tls, const uint8_t *octets, uint16_t len, struct tls_got *got)
{
    struct tls_partial *in = &tls->in;
    uint16_t taken = 0;
    uint8_t alert = 0;
    got->event = TLS_NONE;
    got->len = 0;
    got->zeros = 0;
    while (taken < len && got->event == TLS_NONE && may_take(tls)) {
        if (in->header_len < TLS_HEADER) {
            in->header[in->header_len++] = octets[taken++];
            if (in->header_len == TLS_HEADER)
                alert = record_begin(tls);
        } else if (in->header[0] == TLS_APPLICATION && tls->phase >= TLS_AWAITING) {
            taken += sealed(tls, octets + taken, len - taken, got, &alert);
        } else {
            alert = plain_octet(tls, octets[taken++]);
        }
        if (alert != 0)
            tls_close(tls, alert);
        if (in->header_len == TLS_HEADER && in->left == 0)
            in->header_len = 0;
    }
    return taken;
}
