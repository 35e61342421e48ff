// SPDX-License-Identifier: MIT
// What tells a generated content's end: its length, where it is known before the first octet leaves, or the chunked
// transfer coding (RFC 9112 section 7.1). A chunk's size always has three digits, so that what stands before an octet
// does not depend on how many follow.
#include "inner.h"

static char digit_of(uint16_t number, uint8_t shift)
{
    uint8_t nibble = number >> shift & 15;
    return (char)(nibble < 10 ? '0' + nibble : 'a' + nibble - 10);
}

// White space brings the number to its place: who asks for the line's length need not write it.
void framing_length(uint8_t *to, uint32_t content_len)
{
    static const uint8_t line[LENGTH_LINES] WHIT_FLASH = "Content-Length:         \r\n\r\n";
    uint8_t *at = to + LENGTH_LINES - 4;
    whit_flash_copy(to, line, LENGTH_LINES);
    do {
        *--at = (uint8_t)('0' + content_len % 10);
        content_len /= 10;
    } while (content_len != 0);
}

uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len)
{
    if (framing == FRAMING_LENGTH) {
        framing_length(to, len);
        return LENGTH_LINES;
    }
    if (framing == FRAMING_CLOSE || len == 0)
        return 0;
    for (uint8_t i = 0; i < 3; i++)
        to[i] = (uint8_t)digit_of(len, (uint8_t)(8 - 4 * i));
    to[3] = '\r';
    to[4] = '\n';
    return CHUNK_HEAD;
}

uint8_t framing_behind(uint8_t *to, enum framing framing, uint16_t len, bool last)
{
    static const uint8_t end[7] WHIT_FLASH = "\r\n0\r\n\r\n";
    if (framing != FRAMING_CHUNKED)
        return 0;
    uint8_t from = len == 0 ? 2 : 0, to_end = last ? 7 : 2;
    whit_flash_copy(to, end + from, (uint16_t)(to_end - from));
    return (uint8_t)(to_end - from);
}

void frame_add_part(struct frame *f, const uint8_t *octets, uint16_t len, uint32_t *skip)
{
    if (*skip >= len) {
        *skip -= len;
        return;
    }
    uint16_t room = (uint16_t)(f->room - f->payload_len);
    octets += *skip;
    len = (uint16_t)(len - *skip);
    *skip = 0;
    len = len < room ? len : room;
    if (len != 0)
        frame_add(f, octets, len, checksum_octets(0, octets, len, false), WHIT_IN_RAM);
}
