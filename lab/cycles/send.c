// SPDX-License-Identifier: MIT
// A program that sends segments of a file into a void driver, to be watched cycle by cycle
// (tools/whit_lab/instruments/segment.py). It replaces the port's main.c and its driver; everything else is the
// image's.
//
// As in the papers (INRIA RT-0349, section 5.1.4), a driver that takes octets is a function that does nothing, called
// for each of them.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"
#include "whit_flash.h"

#define SEGMENTS 4    // segments of the response; the last is watched
#define MSS 1408      // octets: a multiple of every chunk
#define SYN 0x02
#define PSH_ACK 0x18

void clock_start(void);

static const struct whit_network network = {.address = {10, 7, 0, 2}, .gateway = {10, 7, 0, 1}, .prefix_len = 24};
static const char request[] = "GET " LAB_FILE " HTTP/1.1\r\nHost: 10.7.0.2\r\n\r\n";
static uint32_t seq = 5000, ack;

volatile uint16_t sent_len;    // octets of the last segment's payload
volatile uint8_t finished;     // 1: every segment was as it must be; 2: one was not

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

static bool headless;    // nothing of the frame was put yet

bool whit_driver_begin(uint16_t len)
{
    sent_len = (uint16_t)(len - 40);
    headless = true;
    return true;
}

// The driver of an octet's device: a call for each octet of the frame.
static inline void send_each(const uint8_t *octets, uint16_t len, uint8_t place)
{
    for (uint16_t at = 0; at < len; at++)
        void_octet(place == WHIT_IN_FLASH ? whit_flash_u8(octets + at) : octets[at]);
}

// Two functions, to be watched one by one: the headers, and the octets after them.
__attribute__((noinline)) static void send_head(const uint8_t *octets, uint16_t len)
{
    send_each(octets, len, WHIT_IN_RAM);
}
__attribute__((noinline)) static void send_octets(const uint8_t *octets, uint16_t len, uint8_t place)
{
    send_each(octets, len, place);
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (!headless) {
        send_octets(octets, len, place);
        return;
    }
    send_head(octets, len);
    const uint8_t *tcp = octets + 20;
    ack = (uint32_t)tcp[4] << 24 | (uint32_t)tcp[5] << 16 | (uint32_t)tcp[6] << 8 | tcp[7];
    ack += (tcp[13] & SYN) != 0;
    headless = false;
}

void whit_driver_end(void)
{
}

bool whit_driver_poll(uint32_t now_ms)
{
    return now_ms == 0;
}
void whit_driver_wait(uint32_t ms)
{
    (void)ms;
}

static uint32_t add16(uint32_t sum, const uint8_t *octets, uint16_t len)
{
    for (uint16_t i = 0; i < len; i++)
        sum += (uint32_t)octets[i] << (i & 1 ? 0 : 8);
    return sum;
}

static void store_sum(uint8_t *to, uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    to[0] = (uint8_t)(~sum >> 8);
    to[1] = (uint8_t)~sum;
}

static void store32(uint8_t *to, uint32_t number)
{
    for (uint8_t i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> (24 - 8 * i));
}

static void input(const uint8_t *octets, uint16_t len)
{
    static const uint8_t end = 0xc0, escapes[2][2] = {{0xdb, 0xdc}, {0xdb, 0xdd}};
    for (uint16_t i = 0; i < len; i++) {
        if (octets[i] == 0xc0 || octets[i] == 0xdb)
            whit_input(escapes[octets[i] == 0xdb], 2, 0);
        else
            whit_input(&octets[i], 1, 0);
    }
    whit_input(&end, 1, 0);
}

// A segment from 10.7.0.1:4000 to port 80.
static void exchange(uint8_t flags, const char *payload)
{
    static uint8_t datagram[200] = {
        0x45, 0,  0, 0, 0, 0,         0x40,       0, 64, 6,           0,    0,        10, 7,        0,
        1,    10, 7, 0, 2, 4000 >> 8, 4000 & 255, 0, 80, [34] = 0xff, 0xff, [40] = 2, 4,  MSS >> 8, MSS & 255,
    };
    uint16_t len = (uint16_t)strlen(payload), head_len = flags == SYN ? 44 : 40, total_len = (uint16_t)(head_len + len);
    datagram[3] = (uint8_t)total_len;
    datagram[10] = datagram[11] = datagram[36] = datagram[37] = 0;
    store_sum(datagram + 10, add16(0, datagram, 20));
    store32(datagram + 24, seq);
    store32(datagram + 28, ack);
    datagram[32] = (uint8_t)((head_len - 20) << 2);
    datagram[33] = flags;
    if (len != 0)
        memcpy(datagram + head_len, payload, len);
    store_sum(datagram + 36, add16(6u + total_len - 20, datagram + 12, (uint16_t)(total_len - 12)));
    input(datagram, total_len);
    seq += len + (flags == SYN);
}

int main(void)
{
    clock_start();
    whit_init(&network, 0);
    exchange(SYN, "");
    exchange(PSH_ACK, request);
    for (uint8_t i = 0; i < SEGMENTS; i++)
        if (!whit_output(0))
            finished = 2;
    finished = finished == 0 && sent_len == MSS ? 1 : 2;
    for (;;) {
    }
}
