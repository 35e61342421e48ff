// SPDX-License-Identifier: MIT
// One's complement addition does not care for byte order (RFC 1071 section 2 (B)): words are added as the machine
// has them and the result is turned to big-endian once.
#include "checksum.h"

#include <string.h>

#include "inner.h"

// Words of the machine's own size: any number of 16-bit ones in a row has the same sum.
static uint16_t fold(size_t wide)
{
    for (uint8_t bits = 8 * sizeof wide; bits > 16; bits /= 2) {
        size_t mask = ((size_t)1 << bits / 2) - 1;
        wide = (wide & mask) + (wide >> bits / 2);
        wide = (wide & mask) + (wide >> bits / 2);
    }
    return (uint16_t)wide;
}

uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    if (odd && len != 0) {
        sum = checksum_add(sum, *octets++);
        len--;
    }
    size_t native = 0, word;
    for (; len >= sizeof word; len = (uint16_t)(len - sizeof word), octets += sizeof word) {
        memcpy(&word, octets, sizeof word);
        native += word;
        native += native < word;    // the carry comes round (RFC 1071 section 2 (C))
    }
    word = 0;
    for (uint8_t *to = (uint8_t *)&word; len != 0; len--)
        *to++ = *octets++;
    native += word;
    native += native < word;

    uint16_t folded = fold(native);
    uint8_t wire[2];
    memcpy(wire, &folded, 2);
    return checksum_add(sum, load16_be(wire));
}

uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    METER(static_checksum_octets, len);
    for (uint16_t i = 0; i < len; i++, odd = !odd) {
        uint8_t octet = whit_flash_u8(octets + i);
        sum = checksum_add(sum, odd ? octet : (uint16_t)(octet << 8));
    }
    return sum;
}
