// SPDX-License-Identifier: MIT
// The TLS floor of the engine with what an image and a port bring, for tests: a certificate, its key, and entropy that repeats.
#include <stdlib.h>
#include <string.h>

#include "tls/tls.h"
#include "whit/port.h"

const uint8_t whit_tls_certificate[] = {
#include "certificate.h"
};
const uint16_t whit_tls_certificate_len = sizeof whit_tls_certificate;

static const uint8_t host_key[32] = {
#include "key.h"
};

void whit_tls_key(uint8_t key[32]) { memcpy(key, host_key, sizeof host_key); }

uint32_t host_seed;

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    while (len-- > 0) {
        host_seed = host_seed * 1664525u + 1013904223u;
        *to++ = (uint8_t)(host_seed >> 24);
    }
}

uint32_t host_size(void) { return sizeof(struct tls); }
uint8_t host_phase(const struct tls *tls) { return tls->phase; }
uint8_t host_out(const struct tls *tls) { return tls->out; }
uint8_t host_alert(const struct tls *tls) { return tls->alert; }
bool host_resumed(const struct tls *tls) { return tls->resumed; }
uint16_t host_record_len(const struct tls *tls) { return tls->record_len; }

const uint8_t *host_client_secret(const struct tls *tls)
{
    return tls->phase == TLS_AWAITING ? tls->flight.client_secret : tls->keys.client;
}
const uint8_t *host_client_finished(const struct tls *tls) { return tls->flight.client_finished; }

void host_set_numbers(struct tls *tls, uint32_t rx_seq, uint32_t tx_seq)
{
    tls->keys.rx_seq = rx_seq;
    tls->keys.tx_seq = tx_seq;
}

// The meter of nonces: what was sealed by each key and nonce, as a hash.
#define SEALED_MAX 65536u
static struct {
    uint8_t of[44], text[32];
} sealed[SEALED_MAX];
uint32_t host_sealed_cnt, host_repeated_cnt, host_broken_cnt;

void host_meter_reset(void)
{
    memset(sealed, 0, sizeof sealed);
    host_sealed_cnt = host_repeated_cnt = host_broken_cnt = 0;
}

void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len)
{
    struct whit_sha256 sha;
    uint8_t of[44], digest[32];
    uint32_t at = 0;
    memcpy(of, key, sizeof of);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, text, len);
    whit_sha256_end(&sha, digest);
    memcpy(&at, of, sizeof at);
    at ^= (uint32_t)of[43] << 8 | of[42];
    while (memcmp(sealed[at %= SEALED_MAX].of, of, sizeof of) != 0) {
        static const uint8_t none[44];
        if (memcmp(sealed[at].of, none, sizeof none) == 0) {
            if (++host_sealed_cnt >= SEALED_MAX)
                abort();
            memcpy(sealed[at].of, of, sizeof of);
            memcpy(sealed[at].text, digest, sizeof digest);
            return;
        }
        at++;
    }
    host_repeated_cnt++;
    if (memcmp(sealed[at].text, digest, sizeof digest) != 0)
        host_broken_cnt++;
}
