// SPDX-License-Identifier: MIT
// A connection on another processor, with a client's input in script.h: test_devices.py compares its output with that
// of this machine.
#include <string.h>

#include "tls/tls.h"

// Functions of the machine: tests/crypto/device_*.c.
void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

// Runs of octets, each with its length in two octets.
static const uint8_t script[] WHIT_FLASH = {
#include "script.h"
};
const uint8_t whit_tls_certificate[] WHIT_FLASH = {
#include "certificate.h"
};
const uint16_t whit_tls_certificate_len = sizeof whit_tls_certificate;
const uint32_t whit_tls_ticket_s WHIT_FLASH = 7200;
static const uint8_t device_key[32] WHIT_FLASH = {
#include "key.h"
};

void whit_tls_key(uint8_t key[32])
{
    whit_flash_copy(key, device_key, sizeof device_key);
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    static uint32_t seed = 1;
    while (len-- > 0) {
        seed = seed * 1664525u + 1013904223u;
        *to++ = (uint8_t)(seed >> 24);
    }
}

#define RECORD_LEN 200
static struct tls tls;
static struct tls_partial half;
static struct tls_got got;
static uint8_t record[RECORD_LEN + TLS_AROUND];

static void tell_all(const uint8_t *from, uint16_t len)
{
    while (len-- > 0)
        tell(*from++);
}

static void tell_text(void)
{
    tell_all(got.text, got.zeros_at);
    while (got.zeros-- > 0)
        tell(0);
    tell_all(got.text + got.zeros_at, got.len - got.zeros_at);
}

static void send_out(void)
{
    uint16_t len = tls_out_len(&tls);
    for (uint16_t at = 0; at < len;) {
        uint16_t place = at, all = tls_out_record(&tls, &place, record);
        tell_all(record + place, all - place);
        at += all - place;
    }
    tls_out_end(&tls);
}

int main(void)
{
    start_telling();
    tls_start();
    tls_open(&tls, RECORD_LEN);
    for (uint16_t at = 0; at < sizeof script;) {
        uint16_t end = at + 2 + (uint16_t)(whit_flash_u8(script + at) << 8 | whit_flash_u8(script + at + 1));
        for (at += 2; at < end; at++) {
            uint8_t octet = whit_flash_u8(script + at);
            (void)tls_in(&tls, &half, &octet, 1, &got);
            if (got.event == TLS_TEXT)
                tell_text();
        }
        if (tls.kept.phase == TLS_HEARD)
            tls_answer(&tls, 1000);
        send_out();
        tell(tls.kept.phase);
    }
    memcpy(record + TLS_HEADER, "answer", 6);
    tell_all(record, tls_seal(&tls, 0, record, 6));
    finish();
}
