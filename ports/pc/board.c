// SPDX-License-Identifier: MIT
// The console: serial line and screen. Messages go to both; the request log goes to the serial line at its speed.
#include "board.h"

#include <string.h>

#include "console.h"
#include "io.h"
#include "pc.h"
#include "screen.h"

// 16550.
enum { DATA = 0, INTERRUPTS = 1, FIFO = 2, LINE = 3, MODEM = 4, LINE_STATUS = 5, SCRATCH = 7 };
#define EMPTY 0x20u
#define DIVISOR_ACCESS 0x80u
#define EIGHT_BITS 3u
#define RTS_DTR 3u
#define FIFO_LEN 16
#define WAITS_MAX 100000u    // reads of a port: much longer than an octet takes

static bool has_serial;
static uint8_t fifo_left;

// 115 200 baud, eight bits, no parity.
void board_open(void)
{
    out_8(COM1 + SCRATCH, 0x5a);
    has_serial = in_8(COM1 + SCRATCH) == 0x5a;
    out_8(COM1 + INTERRUPTS, 0);
    out_8(COM1 + LINE, DIVISOR_ACCESS);
    out_8(COM1 + DATA, 1);
    out_8(COM1 + INTERRUPTS, 0);
    out_8(COM1 + LINE, EIGHT_BITS);
    out_8(COM1 + FIFO, 7);
    out_8(COM1 + MODEM, RTS_DTR);
    screen_clear();
}

bool board_put(char octet)
{
    if (fifo_left == 0 && has_serial && (in_8(COM1 + LINE_STATUS) & EMPTY) == 0)
        return false;
    if (fifo_left == 0)
        fifo_left = FIFO_LEN;
    fifo_left--;
    if (has_serial)
        out_8(COM1 + DATA, (uint8_t)octet);
    return true;
}

const char *number_text(char digits[NUMBER_LEN], uint32_t number)
{
    uint8_t at = NUMBER_LEN - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return digits + at;
}

static void to_serial(const char *text)
{
    for (; *text != '\0'; text++)
        for (uint32_t waits = 0; !board_put(*text) && waits < WAITS_MAX; waits++) {
        }
}

// A line, or some of it; a line feed ends it.
void board_say(const char *text)
{
    static char line[SCREEN_COLUMNS];
    static uint16_t len;
    to_serial(text);
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            screen_line(line, len);
            len = 0;
        } else if (len < sizeof line) {
            line[len++] = *text;
        }
    }
}

_Noreturn void board_end(const char *why)
{
    board_say("\nWhit has stopped: ");
    board_say(why);
    board_say("\n");
    for (;;)
        __asm__ volatile("cli\nhlt");
}
