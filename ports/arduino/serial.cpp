// SPDX-License-Identifier: MIT
// The link: SLIP (RFC 1055) over a serial port of the Arduino core, without flow control. While a frame goes out, what comes in is
// kept here: the core's own buffer of 64 octets is full after 6 ms at 115200 baud, and a frame of 1500 octets takes 130 ms.
#include <Arduino.h>
#include <Whit.h>

#define LINE Serial
#define RING_LEN 256    // indices are octets, and wrap by themselves

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

static uint8_t ring[RING_LEN];
static uint8_t head, tail;    // where the next octet goes, and the oldest one is

// What finds no room stays with the core, and is lost there when there is too much: a checksum will tell.
static void collect()
{
    while ((uint8_t)(head + 1) != tail && LINE.available() > 0)
        ring[head++] = (uint8_t)LINE.read();
}

// Waits for room for this octet only, so that the core never has to hold more than one meanwhile.
static void put(uint8_t octet)
{
    LINE.write(octet);
    collect();
}

static void put_escaped(uint8_t octet)
{
    if (octet == END || octet == ESC) {
        put(ESC);
        octet = octet == END ? ESC_END : ESC_ESC;
    }
    put(octet);
}

static uint8_t octet_at(const uint8_t *octet, uint8_t place)
{
    if (place == WHIT_IN_FLASH)
        return whit_flash_u8(octet);
    if (place == WHIT_IN_PERSISTENT) {
        uint8_t value = 0;
        (void)whit_port_persistent_read((uint16_t)(uintptr_t)octet, &value, 1);
        return value;
    }
    return *octet;
}

bool whit_driver_init()
{
    LINE.begin(WHIT_BOARD_BAUD);
    return true;
}

bool whit_driver_ready() { return true; }

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    put(END);
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    for (; len != 0; len--)
        put_escaped(octet_at(octets++, place));
}

void whit_driver_end() { put(END); }

// One run of the ring at a time, so that timers get their turn on a busy line. The engine may transmit meanwhile: what is
// collected then goes behind the run, which is given up afterwards.
bool whit_driver_poll(uint32_t now_ms)
{
    collect();
    if (head == tail)
        return false;
    uint16_t len = head > tail ? head - tail : RING_LEN - tail;
    whit_input(ring + tail, len, now_ms);
    tail = (uint8_t)(tail + len);
    return true;
}

void whit_driver_wait(uint32_t ms)
{
    uint32_t start = millis();
    while (head == tail && LINE.available() == 0 && millis() - start < ms)
        yield();
}
