// SPDX-License-Identifier: MIT
// The console's link port as a UART: SLIP (RFC 1055) 8N1. Octets are sent directly from their place, and received one
// by one. While a frame is sent, the port's FIFO of four holds its RTS line back, so that the peer waits.
#include "registers.h"
#include "../common/quiet.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

// The rates that the port has, by their number in SIOCNT.
#define RATE (WHIT_BOARD_BAUD == 9600 ? 0 : WHIT_BOARD_BAUD == 38400 ? 1 : WHIT_BOARD_BAUD == 57600 ? 2 : 3)
_Static_assert(RATE != 3 || WHIT_BOARD_BAUD == 115200,
               "app.toml: [link] baud: the console has 9600, 38400, 57600 and 115200");

bool whit_driver_init(void)
{
    RCNT = 0;
    SIOCNT = SIO_UART;
    SIOCNT = SIO_UART | RATE | SIO_8_BITS | SIO_FIFO | SIO_SEND | SIO_RECEIVE | SIO_IRQ;
    return true;
}

// A frame is sent when it is taken.
bool whit_driver_ready(void)
{
    if ((SIOCNT & SIO_RECEIVE_EMPTY) == 0)
        quiet_heard();
    return quiet_now();
}

static void send(uint8_t octet)
{
    while ((SIOCNT & SIO_SEND_FULL) != 0) {
    }
    SIODATA8 = octet;
}

static void send_datum(uint8_t octet)
{
    if (octet == END || octet == ESC) {
        send(ESC);
        octet = octet == END ? ESC_END : ESC_ESC;
    }
    send(octet);
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    send(END);    // ends a frame that noise may have begun
    return true;
}

// All memory is read alike here: constants, and save memory, whose bus is eight bits wide.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    (void)place;
    for (; len != 0; len--)
        send_datum(*(const volatile uint8_t *)octets++);
}

void whit_driver_end(void)
{
    send(END);
    quiet_sent();
}

bool whit_driver_poll(uint32_t now_ms)
{
    bool came = false;
    while ((SIOCNT & SIO_RECEIVE_EMPTY) == 0) {
        uint8_t octet = SIODATA8;
        whit_input(&octet, 1, now_ms);
        came = true;
        quiet_heard();
    }
    return came;
}

// Halts the processor until the next millisecond or octet. An interrupt between the check and the halt is still in IF,
// and ends it.
static void halt(void)
{
    IE = IRQ_TIMER0 | IRQ_SERIAL;
    IF = IRQ_TIMER0 | IRQ_SERIAL;
    if ((SIOCNT & SIO_RECEIVE_EMPTY) != 0)
        __asm__ volatile("swi 0x02" ::: "r0", "r1", "r2", "r3", "memory");    // BIOS: Halt
}

void whit_driver_wait(uint32_t ms)
{
    uint32_t start_ms = whit_port_now_ms();
    if (ms > QUIET_MS && !whit_driver_ready())
        ms = QUIET_MS;
    while ((SIOCNT & SIO_RECEIVE_EMPTY) != 0 && whit_port_now_ms() - start_ms < ms)
        halt();
}
