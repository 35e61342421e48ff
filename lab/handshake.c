// SPDX-License-Identifier: MIT
// Prints the cost of handshakes on an emulated Cortex-M3, in instructions: a line for each kind. Preparation is counted
// as a handshake of its own.
#include "counted.h"

#include "tls/tls.h"
#include "tls/internal.h"

const uint8_t whit_tls_certificate[] = {
#include "certificate.h"
};
const uint16_t whit_tls_certificate_len = sizeof whit_tls_certificate;
const uint32_t whit_tls_ticket_s WHIT_FLASH = 7200;

void whit_tls_key(uint8_t key[32])
{
    memset(key, 0x5a, 32);
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    static uint32_t seed = 1;
    while (len-- > 0) {
        seed = seed * 1664525u + 1013904223u;
        *to++ = (uint8_t)(seed >> 24);
    }
}

static const uint8_t hello[] = {
#include "hello.h"
};

#define RECORD_LEN 514
#define SEALED_LEN 1438    // octets of content that a segment of Ethernet carries
static struct tls tls;
static struct tls_partial half;
static uint8_t record[RECORD_LEN + TLS_AROUND];
static void prepare(void)
{
    bool more = true;
    while (more) {
        uint32_t began = now();
        more = tls_prepare();
        took(began);
    }
}

// As if it had offered a ticket, with a binder that is good.
static void offer_ticket(void)
{
    struct tls_hello *told_hello = &tls.hello;
    uint8_t early[32], hash[32], base[32];
    static struct tls before;    // its secret is zero
    before.flight.ticket_s = 1000;
    tls_seal_ticket(told_hello->ticket, &before);
    whit_hkdf_extract(early, NULL, 0, tls_zero, 32);
    tls_hash_of_nothing(hash);
    tls_expand(base, 32, early, LABEL_RES_BINDER, hash, 32);
    tls_finished(told_hello->binder, base, told_hello->truncated);
    told_hello->flags |= HELLO_TICKET | HELLO_BINDER | HELLO_DHE;
}

// From the hello's first octet to the flight's last.
static void handshake(const char *name, bool resumes)
{
    struct tls_got got;
    uint32_t began = now();
    tls_open(&tls, RECORD_LEN);
    (void)tls_in(&tls, &half, hello, sizeof hello, &got);
    took(began);
    if (resumes)
        offer_ticket();
    while (tls.kept.phase == TLS_HEARD) {
        began = now();
        tls_work(&tls, 1000);
        took(began);
    }
    uint16_t len = tls_out_len(&tls);
    for (uint16_t at = 0; at < len;) {
        began = now();
        uint16_t place = at, all = tls_out_record(&tls, &place, record);
        at = (uint16_t)(at + all - place);
        took(began);
    }
    told(tls.kept.phase == TLS_AWAITING && tls.resumed == resumes ? name : "failed");
}

static uint8_t long_record[SEALED_LEN + TLS_AROUND];

// The same record, where https.aes is true and the client has nothing else.
static void by_aes(void)
{
    const struct whit_aead_key key = {{1}, {2}};
    struct whit_aead aead;
    uint8_t *text = long_record + TLS_HEADER;
    uint32_t began = now();
    whit_gcm_begin(&aead, &key, long_record, TLS_HEADER);
    whit_gcm_seal(&aead, &key, text, text, SEALED_LEN + 1);
    whit_gcm_end(&aead, &key, text + SEALED_LEN + 1);
    took(began);
    told("record_by_aes");
}

int main(void)
{
    tls_start();
    handshake("full", false);
    handshake("resumed", true);
    prepare();
    told("preparation");
    handshake("full_prepared", false);
    prepare();
    told("preparation");
    handshake("resumed_prepared", true);
    for (uint8_t i = 0; i < 2; i++) {    // the second one has the current key
        memset(long_record, 'a', sizeof long_record);
        uint32_t began = now();
        tls_seal(&tls, i, long_record, SEALED_LEN);
        took(began);
        told(i == 0 ? "record" : "record_again");
    }
    by_aes();
    return 0;
}
