// SPDX-License-Identifier: MIT
// What tells a generated content's end: its length, where it is known before the first octet leaves, or the chunked
// transfer coding (RFC 9112 section 7.1). A chunk's size always has three digits, so that what stands before an octet
// does not depend on how many follow.
#include "strategies.h"
#include "../base/tables.h"
#include "../link/walk.h"
#include "whit/driver.h"
#include "whit/port.h"

static char digit_of(uint16_t number, uint8_t shift)
{
    uint8_t nibble = number >> shift & 15;
    return (char)(nibble < 10 ? '0' + nibble : 'a' + nibble - 10);
}

#define NAME_LEN 16    // of the lines; the number follows
static const uint8_t length_name[NAME_LEN] WHIT_FLASH = "Content-Length: ";

// Padded to a fixed width, so that the length of the line is known without writing it.
static void put_number(uint8_t *to, whit_position content_len)
{
    static const uint8_t number[LENGTH_LINES - NAME_LEN] WHIT_FLASH = "        \r\n\r\n";
    whit_flash_copy(to, number, sizeof number);
    to += sizeof number - 4;
    do {
        *--to = (uint8_t)('0' + content_len % 10);
        content_len /= 10;
    } while (content_len != 0);
}

void framing_length(uint8_t *to, whit_position content_len)
{
    whit_flash_copy(to, length_name, NAME_LEN);
    put_number(to + NAME_LEN, content_len);
}

uint8_t framing_before_len(enum framing framing, uint16_t len)
{
    if (framing == FRAMING_LENGTH)
        return LENGTH_LINES;
    return framing == FRAMING_CLOSE || len == 0 ? 0 : CHUNK_HEAD;
}

uint8_t framing_after_len(enum framing framing, uint16_t len, bool last)
{
    if (framing != FRAMING_CHUNKED)
        return 0;
    return (uint8_t)((last ? 7 : 2) - (len == 0 ? 2 : 0));
}

uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len)
{
    uint8_t before = framing_before_len(framing, len);
    if (before == LENGTH_LINES) {
        framing_length(to, len);
    } else if (before != 0) {
        for (uint8_t i = 0; i < 3; i++)
            to[i] = (uint8_t)digit_of(len, (uint8_t)(8 - 4 * i));
        to[3] = '\r';
        to[4] = '\n';
    }
    return before;
}

uint8_t framing_after(uint8_t *to, enum framing framing, uint16_t len, bool last)
{
    static const uint8_t end[7] WHIT_FLASH = "\r\n0\r\n\r\n";
    uint8_t after = framing_after_len(framing, len, last);
    whit_flash_copy(to, end + (len == 0 ? 2 : 0), after);
    return after;
}

// In two parts, which stand at the same place of the stack.
__attribute__((noinline)) void framing_walk(struct walk *w, whit_position content_len)
{
    uint8_t part[NAME_LEN];
    whit_flash_copy(part, length_name, NAME_LEN);
    walk_ram(w, part, NAME_LEN, WHIT_IN_RAM);
    put_number(part, content_len);
    walk_ram(w, part, LENGTH_LINES - NAME_LEN, WHIT_IN_RAM);
}
