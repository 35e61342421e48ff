// SPDX-License-Identifier: MIT
// The Internet checksum (RFC 1071). A sum here is the one's complement sum of big-endian 16-bit words, not
// complemented.
#ifndef WHIT_CORE_CHECKSUM_H
#define WHIT_CORE_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "octets.h"

// The sum of two sums.
CALLED uint16_t checksum_add(uint16_t sum, uint16_t more)
{
    uint32_t wide = (uint32_t)sum + more;
    return (uint16_t)(wide + (wide >> 16));
}

// Subtracts `less`, the sum of its beginning, from `sum`.
static inline uint16_t checksum_subtract(uint16_t sum, uint16_t less)
{
    return checksum_add(sum, (uint16_t)~less);
}

// The sum of the same octets one octet further on.
static inline uint16_t checksum_swap(uint16_t sum)
{
    return (uint16_t)((uint16_t)(sum << 8) | sum >> 8);
}

// The 16-bit sum of a wide one, of at most 2^16 words.
static inline uint16_t checksum_fold(uint32_t wide)
{
    wide = (wide & 0xffff) + (wide >> 16);
    return (uint16_t)(wide + (wide >> 16));
}

// Returns the term of a 32-bit number in a wide sum.
static inline uint32_t checksum_halves(uint32_t number)
{
    return (number >> 16) + (uint16_t)number;
}

// Writes a number and adds it to a wide sum. Returns where the next one goes.
static inline uint8_t *checksum_put16(uint8_t *to, uint16_t number, uint32_t *wide)
{
    *wide += number;
    store16_be(to, number);
    return to + 2;
}

static inline uint8_t *checksum_put32(uint8_t *to, uint32_t number, uint32_t *wide)
{
    *wide += checksum_halves(number);
    store32_be(to, number);
    return to + 4;
}

// `sum` and `len` octets of RAM more. odd: the first of them is the second octet of a word. (checksum_small.c, or
// checksum_wide.c)
uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);

// The same of a header of 20 octets (checksum_wide.c).
uint16_t checksum_20(uint16_t sum, const uint8_t *octets);
CALLED uint16_t checksum_head(uint16_t sum, const uint8_t *octets)
{
    return WHIT_FAST ? checksum_20(sum, octets) : checksum_octets(sum, octets, 20, false);
}

// The same over octets in flash. Static content needs it only if a peer's tiny window cuts a chunk.
uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);

#endif
