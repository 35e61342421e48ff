// SPDX-License-Identifier: MIT
// The TLS layer. The first octet gives the kind of the rest, the second how it is cut:
//   0  records of a client that begins with its hello
//   1  records that a client seals before its Finished: lengths in an octet, each with the content, the type and the
//      padding of a record
//   2  the same after its Finished
//   3  records in any form after its Finished
// With 4 added to it, they are sealed by AES-128-GCM.
//
// Whole and cut input must have the same result; a number of a key seals one text; octets without a tag are no content.
#include "tls/internal.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition) ((condition) ? (void)0 : abort())
#define RECORD_LEN 300
#define TEXT_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

const uint8_t whit_tls_certificate[] = {11, 0, 0, 12, 0, 0, 0, 8, 0, 0, 3, 1, 2, 3, 0, 0};
const uint16_t whit_tls_certificate_len = sizeof whit_tls_certificate;
const uint32_t whit_tls_ticket_s WHIT_FLASH = 7200;

void whit_tls_key(uint8_t key[32])
{
    memset(key, 1, 32);
}
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    memset(to, 2, len);
}

// The last sealed texts, at places that follow from key and nonce.
static struct {
    uint8_t of[44], text[32];
} sealed[256];

void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len)
{
    struct whit_sha256 sha;
    uint8_t of[44], digest[32], at;
    memcpy(of, key->key, 32);
    memcpy(of + 32, key->nonce, 12);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, text, len);
    whit_sha256_end(&sha, digest);
    at = of[0] ^ of[43];
    CHECK(memcmp(sealed[at].of, of, sizeof of) != 0 || memcmp(sealed[at].text, digest, sizeof digest) == 0);
    memcpy(sealed[at].of, of, sizeof of);
    memcpy(sealed[at].text, digest, sizeof digest);
}

// Does nothing: the target starts the device anew, with the same entropy, so shares are repeated.
void whit_meter_once(const uint8_t of[32])
{
    (void)of;
}

struct outcome {
    uint8_t phase, alert;
    uint16_t len, out_len;
    uint8_t text[TEXT_MAX];    // verified
};

static struct tls tls, greeted[2], opened[2];    // states for each suite
static struct tls_partial half;
static uint16_t unverified_len;

static void note(struct outcome *outcome, const struct tls_got *got)
{
    if (got->event == TLS_TEXT) {
        CHECK(got->len <= sizeof got->text && (got->zeros == 0 || got->zeros_at <= got->len));
        for (uint32_t i = 0; i < (uint32_t)got->len + got->zeros; i++, unverified_len++) {
            bool zero = i >= got->zeros_at && i < (uint32_t)got->zeros_at + got->zeros;
            uint32_t at = outcome->len + unverified_len;
            if (at < TEXT_MAX)
                outcome->text[at] = zero ? 0 : got->text[i < got->zeros_at ? i : i - got->zeros];
        }
    }
    if (got->event == TLS_RECORD)
        outcome->len += unverified_len;
    if (got->event == TLS_RECORD || got->event == TLS_FORGET)
        unverified_len = 0;
}

static void send_out(struct outcome *outcome)
{
    uint8_t record[RECORD_LEN + TLS_AROUND], again[RECORD_LEN + TLS_AROUND];
    if (tls.kept.phase == TLS_HEARD)
        tls_answer(&tls, 1000);
    uint16_t len = tls_out_len(&tls);
    for (uint16_t at = 0; at < len;) {
        uint16_t place = at, same = at, all = tls_out_record(&tls, &place, record);
        CHECK(all <= sizeof record && place < all);
        CHECK(tls_out_record(&tls, &same, again) == all && memcmp(record, again, all) == 0);
        at += all - place;
    }
    outcome->out_len += len;
    tls_out_end(&tls);
}

// Passes octets in pieces of `cut` octets, each a copy of the exact size.
static void give(struct outcome *outcome, const uint8_t *octets, size_t len, size_t cut)
{
    struct tls_got got;
    while (len > 0) {
        size_t part = len < cut ? len : cut;
        uint8_t *copy = malloc(part);
        memcpy(copy, octets, part);
        uint16_t taken = tls_in(&tls, &half, copy, (uint16_t)part, &got);
        free(copy);
        CHECK(taken <= part);
        note(outcome, &got);
        bool stuck = taken == 0 && tls.kept.out == TLS_NOTHING && tls.kept.phase != TLS_HEARD;
        send_out(outcome);
        octets += taken;
        len -= taken;
        if (stuck) {
            CHECK(tls.kept.phase == TLS_CLOSED);
            break;
        }
    }
}

static void give_sealed(struct outcome *outcome, const uint8_t *inner, uint8_t len, size_t cut)
{
    struct whit_aead aead;
    struct whit_aead_key key;
    uint8_t record[5 + 255 + 16] = {23, 3, 3, 0, 0};
    bool awaiting = tls.kept.phase == TLS_AWAITING;
    uint32_t seq = awaiting ? tls.handshake_seq : tls.kept.rx_seq;
    const uint8_t *secret = awaiting ? tls.flight.client_secret : tls.kept.client;
    bool aes = tls_by_aes(&tls);
    const uint8_t labels[2][14] = {{0, aes ? 16 : 32, 9, 't', 'l', 's', '1', '3', ' ', 'k', 'e', 'y', 0},
                                   {0, 12, 8, 't', 'l', 's', '1', '3', ' ', 'i', 'v', 0}};
    memset(key.key, 0, sizeof key.key);
    whit_hkdf_expand(key.key, aes ? 16 : 32, secret, labels[0], 13);
    whit_hkdf_expand(key.nonce, 12, secret, labels[1], 12);
    for (int i = 0; i < 4; i++)
        key.nonce[11 - i] ^= (uint8_t)(seq >> 8 * i);
    record[3] = (uint8_t)((len + 16) >> 8);
    record[4] = (uint8_t)(len + 16);
    memcpy(record + 5, inner, len);
    aead_begin(aes, &aead, &key, record, 5);
    aead_seal(aes, &aead, &key, record + 5, len);
    aead_end(aes, &aead, &key, record + 5 + len);
    give(outcome, record, 5u + len + 16, cut);
}

static void run(struct outcome *outcome, uint8_t kind, bool aes, const uint8_t *octets, size_t len, size_t cut)
{
    memset(outcome, 0, sizeof *outcome);
    memset(&half, 0, sizeof half);
    unverified_len = 0;
    if (kind == 0) {
        tls_start();
        tls_open(&tls, RECORD_LEN);
        memset(sealed, 0, sizeof sealed);    // the same secrets as before
    } else {
        tls = kind == 1 ? greeted[aes] : opened[aes];
    }
    if (kind == 0 || kind == 3) {
        give(outcome, octets, len, cut);
    } else {
        while (len > 1) {
            uint8_t part = octets[0] < len - 1 ? octets[0] : (uint8_t)(len - 1);
            give_sealed(outcome, octets + 1, part, cut);
            octets += 1 + part;
            len -= 1 + part;
        }
    }
    outcome->phase = tls.kept.phase;
    outcome->alert = tls.kept.alert;
}

// A client that is liked.
static void prepare(bool aes)
{
    static const uint8_t head[] = {22, 3, 1, 0, 118, 1, 0, 0, 114, 3, 3};
    static const uint8_t rest[] = {0,  0, 2, 0x13, 3, 1,  0,    0,  71, 0,  43, 0,    3, 2,  3, 4, 0,
                                   10, 0, 4, 0,    2, 0,  0x1d, 0,  13, 0,  4,  0,    2, 4,  3, 0, 45,
                                   0,  2, 1, 1,    0, 51, 0,    38, 0,  36, 0,  0x1d, 0, 32, 9};
    struct outcome outcome = {0};
    uint8_t hello[123] = {0}, finished[37] = {20, 0, 0, 32, [36] = 22};
    memcpy(hello, head, sizeof head);
    memcpy(hello + sizeof head + 32, rest, sizeof rest);
    hello[sizeof head + 32 + 4] = aes ? 1 : 3;
    tls_start();
    tls_open(&tls, RECORD_LEN);
    memset(&half, 0, sizeof half);
    give(&outcome, hello, sizeof hello, sizeof hello);
    CHECK(tls.kept.phase == TLS_AWAITING && tls_by_aes(&tls) == aes);
    greeted[aes] = tls;
    memcpy(finished + 4, tls.flight.client_finished, 32);
    give_sealed(&outcome, finished, sizeof finished, 1000);
    CHECK(tls.kept.phase == TLS_OPEN);
    opened[aes] = tls;
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    static struct outcome whole, cut;
    if (len < 2)
        return 0;
    uint8_t kind = octets[0] & 3;
    bool aes = (octets[0] & 4) != 0;
    if (opened[aes].kept.phase != TLS_OPEN)
        prepare(aes);
    memset(sealed, 0, sizeof sealed);
    run(&whole, kind, aes, octets + 2, len - 2, 60000);
    memset(sealed, 0, sizeof sealed);    // other texts may follow the same state
    run(&cut, kind, aes, octets + 2, len - 2, 1 + octets[1] % 100);
    CHECK(whole.phase == cut.phase && whole.alert == cut.alert && whole.len == cut.len && whole.out_len == cut.out_len);
    CHECK(memcmp(whole.text, cut.text, whole.len < TEXT_MAX ? whole.len : TEXT_MAX) == 0);
    CHECK(kind != 3 || whole.len == 0);
    return 0;
}
