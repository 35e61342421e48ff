// SPDX-License-Identifier: MIT
// The engine's TLS layer with the parts of an image and a port, for tests: a certificate, its key, and entropy that
// repeats.
#include <stdlib.h>
#include <string.h>

#include "tls/tls.h"
#include "whit/port.h"

const uint8_t whit_tls_certificate[] = {
#include "certificate.h"
};
const uint16_t whit_tls_certificate_len = sizeof whit_tls_certificate;
const uint32_t whit_tls_ticket_s WHIT_FLASH = 7200;

static const uint8_t host_key[32] = {
#include "key.h"
};

void whit_tls_key(uint8_t key[32])
{
    memcpy(key, host_key, sizeof host_key);
}

uint32_t host_seed;

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    while (len-- > 0) {
        host_seed = host_seed * 1664525u + 1013904223u;
        *to++ = (uint8_t)(host_seed >> 24);
    }
}

uint32_t host_size(void)
{
    return sizeof(struct tls) + sizeof(struct tls_partial);
}
uint32_t host_place(void)
{
    return sizeof(struct tls);
}
uint8_t host_phase(const struct tls *tls)
{
    return tls->kept.phase;
}
uint8_t host_out(const struct tls *tls)
{
    return tls->kept.out;
}
uint8_t host_alert(const struct tls *tls)
{
    return tls->kept.alert;
}
bool host_resumed(const struct tls *tls)
{
    return tls->resumed;
}
uint16_t host_record_len(const struct tls *tls)
{
    return tls_record_len(tls);
}

const uint8_t *host_client_secret(const struct tls *tls)
{
    return tls->kept.phase == TLS_AWAITING ? tls->flight.client_secret : tls->kept.client;
}
const uint8_t *host_client_finished(const struct tls *tls)
{
    return tls->flight.client_finished;
}

// True if an answer leaves these octets on the stack below.
bool host_leaves(struct tls *tls, uint32_t now_s, const uint8_t octets[32])
{
    tls_answer(tls, now_s);
    const volatile uint8_t *at = __builtin_frame_address(0);
    for (uint16_t left = 16384; left > 0; left--) {
        uint8_t same = 0;
        at--;
        while (same < 32 && at[same] == octets[same])
            same++;
        if (same == 32)
            return true;
    }
    return false;
}

void host_set_numbers(struct tls *tls, uint32_t rx_seq, uint32_t tx_seq)
{
    tls->kept.rx_seq = rx_seq;
    tls->kept.tx_seq = tx_seq;
}
