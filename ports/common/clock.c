// SPDX-License-Identifier: MIT
// Milliseconds and microseconds from a counter of 32 bits. It must be read before the counter wraps, after some
// minutes: the engine does so each minute at least.
#include "board.h"
#include "whit/port.h"

static uint32_t seen;    // ticks that are counted in the others
static uint32_t now_us;
static uint32_t now_ms;
static uint32_t part_us;    // part of a millisecond

static void advance(void)
{
    uint32_t passed_us = (board_ticks() - seen) / BOARD_TICKS_PER_US;
    seen += passed_us * BOARD_TICKS_PER_US;
    now_us += passed_us;
    part_us += passed_us;
    now_ms += part_us / 1000;
    part_us %= 1000;
}

uint32_t whit_port_now_ms(void)
{
    advance();
    return now_ms;
}

uint32_t whit_port_now_us(void)
{
    advance();
    return now_us;
}
