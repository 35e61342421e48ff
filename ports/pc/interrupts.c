// SPDX-License-Identifier: MIT
// Interrupts are disabled except in board_sleep(), so that no handler ever runs beside the program. Two can come: the
// timer's, and the card's. A handler only ends the sleep. The card's line stays up until its driver has handled it; it
// is masked until the next sleep.
#include "interrupts.h"

#include "board.h"
#include "io.h"

#define FIRST_VECTOR 32    // vector of line 0; the processor uses those before
#define CODE_SEGMENT 16
#define GATE 0x8e00u      // present, of 32 bits, disables interrupts
#define HANDLER_LEN 16    // octets from one to the next in start.S
#define TIMER_LINE 0
#define SECOND_LINE 2    // line of the first controller for the second one
#define NO_LINE 0xff
#define END_OF_INTERRUPT 0x20
#define SLEEP_MAX_MS 50    // the timer counts 54 ms in 16 bits

extern const uint8_t exceptions[], lines[];
void exception(uint32_t number, uint32_t one, uint32_t two, uint32_t three);
void interrupt(uint32_t line);

static struct gate {
    uint16_t low, segment, kind, high;
} gates[FIRST_VECTOR + 16];
static uint16_t masked = 0xffff & ~(1u << TIMER_LINE | 1u << SECOND_LINE);
static uint8_t card_line = NO_LINE;
static uint64_t asleep;

static void set_gate(uint8_t vector, const uint8_t *handler)
{
    gates[vector] =
        (struct gate){(uint16_t)(uintptr_t)handler, CODE_SEGMENT, GATE, (uint16_t)((uintptr_t)handler >> 16)};
}

static void mask(void)
{
    out_8(PIC_FIRST + 1, (uint8_t)masked);
    out_8(PIC_SECOND + 1, (uint8_t)(masked >> 8));
}

static void open_controller(uint16_t port, uint8_t vector, uint8_t cascade)
{
    out_8(port, 0x11);    // four words follow, of which the last one selects 8086
    out_8((uint16_t)(port + 1), vector);
    out_8((uint16_t)(port + 1), cascade);
    out_8((uint16_t)(port + 1), 1);
}

void interrupts_open(void)
{
    for (uint8_t i = 0; i < FIRST_VECTOR; i++)
        set_gate(i, exceptions + i * HANDLER_LEN);
    for (uint8_t i = 0; i < 16; i++)
        set_gate((uint8_t)(FIRST_VECTOR + i), lines + i * HANDLER_LEN);
    struct __attribute__((packed)) {
        uint16_t last;
        uint32_t at;
    } table = {sizeof gates - 1, (uintptr_t)gates};
    __asm__ volatile("lidt %0" : : "m"(table));
    open_controller(PIC_FIRST, FIRST_VECTOR, 1u << SECOND_LINE);
    open_controller(PIC_SECOND, FIRST_VECTOR + 8, SECOND_LINE);
    mask();
}

// Handles an exception of the processor: a fault of the program. The words that the processor pushed depend on the
// exception's number: the address is one of them.
void exception(uint32_t number, uint32_t one, uint32_t two, uint32_t three)
{
    char text[] = "exception 00 at 00000000 00000000 00000000";
    const uint32_t words[] = {one, two, three};
    text[10] = (char)('0' + number / 10);
    text[11] = (char)('0' + number % 10);
    for (uint8_t i = 0; i < 3; i++)
        for (uint8_t digit = 0; digit < 8; digit++)
            text[16 + 9 * i + digit] = "0123456789abcdef"[words[i] >> (28 - 4 * digit) & 15];
    board_end(text);
}

void interrupt(uint32_t line)
{
    if (line != TIMER_LINE) {
        masked = (uint16_t)(masked | 1u << line);
        mask();
    }
    if (line >= 8)
        out_8(PIC_SECOND, END_OF_INTERRUPT);
    out_8(PIC_FIRST, END_OF_INTERRUPT);
}

void board_interrupt(uint8_t number)
{
    card_line = number < 16 && number != TIMER_LINE && number != SECOND_LINE ? number : NO_LINE;
}

// Without a line of the card, it must look after it each millisecond.
void board_sleep(uint32_t ms)
{
    uint32_t limit_ms = card_line == NO_LINE ? 1 : SLEEP_MAX_MS, count;
    if (ms == 0)
        return;
    count = (ms < limit_ms ? ms : limit_ms) * (PIT_HZ / 1000);
    out_8(PIT + 3, 0x30);    // channel 0, both octets, one interrupt at its end
    out_8(PIT, (uint8_t)count);
    out_8(PIT, (uint8_t)(count >> 8));
    if (card_line != NO_LINE) {
        masked = (uint16_t)(masked & ~(1u << card_line));
        mask();
    }
    uint64_t begin = time_stamp();
    __asm__ volatile("sti\nhlt\ncli" : : : "memory");    // none comes between the first two
    asleep += time_stamp() - begin;
}

uint64_t interrupts_asleep(void)
{
    return asleep;
}
