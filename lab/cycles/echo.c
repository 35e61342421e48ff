// SPDX-License-Identifier: MIT
// A program that answers pings, to be watched cycle by cycle (tools/whit_lab/experiments/ping/echo.py). It replaces the
// port's main.c and its driver; everything else is the image's. The watcher sets `data_len`; it becomes 0 when the echo
// was sent.
//
// LAB_LINE: a serial line's driver, which does nothing, called for each octet both ways. LAB_CARD: a network card on a
// bus of 8 bits, whose register is read and written for each octet; received octets go to the engine in pieces.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define DATA_MAX 1456
#define HEADS_LEN 28    // IPv4 and ICMP
#define PIECE 64        // octets that a card's driver reads at once
#define MAC 2, 0, 10, 7, 0

void clock_start(void);

static const struct whit_network network = {
    .mac = {MAC, 2}, .address = {10, 7, 0, 2}, .gateway = {10, 7, 0, 1}, .prefix_len = 24};
static uint8_t frame[14 + HEADS_LEN + DATA_MAX] = {
    MAC, 2, MAC, 1, 8, 0, 0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 1, 0, 0, 10, 7, 0, 1, 10, 7, 0, 2, 8, 0, 0, 0, 0, 7, 0, 1,
};

static uint8_t *const datagram = frame + 14;

volatile uint16_t data_len;    // octets behind the ICMP head of the next echo; 0: none
volatile uint16_t echoed;      // octets of data that came back, all of them right
volatile uint8_t bus;          // the card's register

static const uint8_t *last;    // octets that were put
static uint16_t last_len;

__attribute__((noinline)) void void_octet(uint8_t octet)
{
    __asm__ volatile("" ::"r"(octet));
}

bool whit_driver_init(void)
{
    return true;
}
bool whit_driver_ready(void)
{
    return true;
}
bool whit_driver_poll(uint32_t now_ms)
{
    return now_ms == 0;
}
void whit_driver_wait(uint32_t ms)
{
    (void)ms;
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    last = octets;
    last_len = len;
    (void)place;
    for (; len != 0; len--) {
#ifdef LAB_LINE
        void_octet(*octets++);
#else
        bus = *octets++;
#endif
    }
}

void whit_driver_end(void)
{
    bool same = last_len == data_len && memcmp(last, datagram + HEADS_LEN, last_len) == 0;
    echoed = same ? last_len : 0;
}

// All of the request but for the mark of its end.
__attribute__((noinline)) static void take_octets(uint16_t datagram_len)
{
#ifdef LAB_LINE
    for (uint16_t at = 0; at < datagram_len; at++)
        whit_input(datagram + at, 1, 0);
#else
    uint8_t piece[PIECE];
    const uint8_t *from = frame;
    for (uint16_t left = (uint16_t)(14 + datagram_len); left != 0;) {
        uint8_t len = left < PIECE ? (uint8_t)left : PIECE;
        for (uint8_t at = 0; at < len; at++) {
            bus = *from++;    // the card's access, with the cycles of a store
            piece[at] = bus;
        }
        whit_input(piece, len, 0);
        left = (uint16_t)(left - len);
    }
#endif
}

__attribute__((noinline)) static void take_end(void)
{
#ifdef LAB_LINE
    static const uint8_t end = 0xc0;
    whit_input(&end, 1, 0);
#else
    whit_input_end(0);
#endif
}

static uint16_t checksum(const uint8_t *octets, uint16_t len)
{
    uint32_t sum = 0;
    for (uint16_t at = 0; at < len; at++)
        sum += (uint32_t)octets[at] << (at & 1 ? 0 : 8);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void store16(uint8_t *to, uint16_t number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

// Data without an octet that a line would escape.
static void echo(uint16_t len)
{
    uint16_t datagram_len = (uint16_t)(HEADS_LEN + len);
    for (uint16_t at = 0; at < len; at++)
        datagram[HEADS_LEN + at] = (uint8_t)(at & 0x7f);
    store16(datagram + 2, datagram_len);
    store16(datagram + 10, 0);
    store16(datagram + 10, checksum(datagram, 20));
    store16(datagram + 22, 0);
    store16(datagram + 22, checksum(datagram + 20, (uint16_t)(8 + len)));
    take_octets(datagram_len);
    take_end();
}

int main(void)
{
    clock_start();
    whit_init(&network, 0);
    for (;;) {
        if (data_len != 0) {
            echo(data_len);
            data_len = 0;
        }
    }
}
