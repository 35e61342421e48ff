// SPDX-License-Identifier: MIT
// The link: SLIP (RFC 1055) over USART 0, 8N1, with RTS. Received octets go through a small ring, because sending
// occupies the processor. When the ring fills, RTS asks the peer to pause. The peer may still send its FIFO: the ring
// has room for 16 more. Octets are sent one by one from their place.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/atomic.h>

#include "port.h"
#include "../common/quiet.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define RING_LEN 32     // a power of two
#define RING_HIGH 16    // octets from which on the other side is to pause
#define RTS_PORT PORTD
#define RTS_DDR DDRD
#define RTS (1 << PD4)    // low: the peer may send

#define UBRR_VALUE ((WHIT_AVR_CLOCK_HZ / 4 / WHIT_BOARD_BAUD - 1) / 2)    // U2X: clock / 8 / baud - 1, rounded
#define BAUD_REAL (WHIT_AVR_CLOCK_HZ / 8 / (UBRR_VALUE + 1))
_Static_assert(UBRR_VALUE >= 0 && UBRR_VALUE < 4096, "link.baud: out of what this clock can make");
_Static_assert(BAUD_REAL * 40 <= WHIT_BOARD_BAUD * INT32_C(41) && BAUD_REAL * 40 >= WHIT_BOARD_BAUD * INT32_C(39),
               "link.baud: this clock misses it by more than 2.5 %; expected such as 38400, 100000 or 250000");

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

static uint8_t ring[RING_LEN];
static volatile uint8_t head, tail;    // octets that came and that were taken, modulo 256

ISR(USART0_RX_vect)
{
    uint8_t octet = UDR0, used = (uint8_t)(head - tail);
    if (used == RING_LEN)
        return;    // lost: a checksum will fail
    ring[head % RING_LEN] = octet;
    head++;
    if (used >= RING_HIGH - 1)
        RTS_PORT |= RTS;
}

bool whit_driver_init(void)
{
    RTS_PORT &= (uint8_t)~RTS;
    RTS_DDR |= RTS;
    UBRR0 = UBRR_VALUE;
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    return true;
}

bool whit_driver_ready(void)
{
    if (head != tail)
        quiet_heard();
    return quiet_now();
}

static void put(uint8_t octet)
{
    while ((UCSR0A & 1 << UDRE0) == 0) {
    }
    UDR0 = octet;
}

static void put_escaped(uint8_t octet)
{
    if (octet == END) {
        put(ESC);
        octet = ESC_END;
    } else if (octet == ESC) {
        put(ESC);
        octet = ESC_ESC;
    }
    put(octet);
}

static uint8_t octet_at(const uint8_t *octet, uint8_t place)
{
    if (place == WHIT_IN_FLASH)
        return whit_flash_u8(octet);
    uint8_t value;
    if (WHIT_HAS_STORED && place == WHIT_IN_PERSISTENT) {
        (void)whit_port_persistent_read((uint16_t)(uintptr_t)octet, &value, 1);
        return value;
    }
    return *octet;
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    put(END);
    return true;
}

// Returns when all but two octets are on the line.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    for (; len != 0; len--)
        put_escaped(octet_at(octets++, place));
}

void whit_driver_end(void)
{
    put(END);
    quiet_sent();
}

bool whit_driver_poll(uint32_t now_ms)
{
    bool any = false;
    uint8_t cnt;
    while ((cnt = (uint8_t)(head - tail)) != 0) {
        uint8_t at = tail % RING_LEN;
        if (cnt > RING_LEN - at)
            cnt = (uint8_t)(RING_LEN - at);
        whit_input(ring + at, cnt, now_ms);
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            tail = (uint8_t)(tail + cnt);
            if ((uint8_t)(head - tail) < RING_HIGH)
                RTS_PORT &= (uint8_t)~RTS;
        }
        any = true;
        quiet_heard();
    }
    return any;
}

void whit_driver_wait(uint32_t ms)
{
    uint32_t start = whit_port_now_ms();
    if (ms > QUIET_MS && !whit_driver_ready())
        ms = QUIET_MS;
    set_sleep_mode(SLEEP_MODE_IDLE);
    while (whit_port_now_ms() - start < ms) {
        cli();
        if (head != tail) {
            sei();
            return;
        }
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
}
