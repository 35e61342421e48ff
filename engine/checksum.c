// SPDX-License-Identifier: MIT
// One's complement addition does not care for byte order (RFC 1071 section 2 (B)): words are added as the machine
// has them and the result is turned to big-endian once.
#include "checksum.h"

#include <string.h>

#include "inner.h"

static uint16_t fold(uint32_t wide)
{
    wide = (wide & 0xffff) + (wide >> 16);
    return (uint16_t)(wide + (wide >> 16));
}

uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    if (odd && len != 0) {
        sum = checksum_add(sum, *octets++);
        len--;
    }
    uint32_t native = 0;    // of at most 2^15 halves: no carry is lost
    uint32_t word;
    for (; len >= 4; len = (uint16_t)(len - 4), octets += 4) {
        memcpy(&word, octets, 4);
        native += (word & 0xffff) + (word >> 16);
    }
    uint8_t rest[4] = {0};
    for (uint8_t i = 0; i < len; i++)
        rest[i] = octets[i];
    memcpy(&word, rest, 4);
    native += (word & 0xffff) + (word >> 16);

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
