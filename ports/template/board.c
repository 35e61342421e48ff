// SPDX-License-Identifier: MIT
// Clock, sleep and console of the board.
#include "board.h"
#include "console.h"
#include "whit/port.h"

uint32_t board_ticks(void)
{
    // A counter that runs from reset on, also while the processor sleeps. Start it in start.c, or here at the first
    // call.
    return TIMER_COUNT;
}

void board_interrupt(uint8_t number)
{
    // Let this interrupt wake the processor. No handler needs to run: on many processors a pending interrupt ends a
    // sleep.
    (void)number;
}

void board_sleep(uint32_t ms)
{
    // Sleep until an interrupt is pending or `ms` have passed. Returning at once is right too; it only costs current.
    (void)ms;
}

void board_say(const char *text)
{
    // Write it to a console: a second UART, semihosting, a debugger's buffer.
    (void)text;
}

bool board_put(char octet)
{
    // The same for an octet of the request log, which must not wait: false when the console takes none now.
    (void)octet;
    return true;
}

_Noreturn void board_end(const char *why)
{
    board_say(why);
    for (;;) {    // A product resets here.
    }
}
