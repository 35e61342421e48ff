// SPDX-License-Identifier: MIT
// Octets on the wire to numbers and back, and the order of sequence numbers.
#ifndef WHIT_OCTETS_H
#define WHIT_OCTETS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t load16_be(const uint8_t *from)
{
    return (uint16_t)((uint16_t)(from[0] << 8) | from[1]);
}

static inline uint32_t load32_be(const uint8_t *from)
{
    return (uint32_t)load16_be(from) << 16 | load16_be(from + 2);
}

static inline void store16_be(uint8_t *to, uint16_t number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

static inline void store32_be(uint8_t *to, uint32_t number)
{
    store16_be(to, (uint16_t)(number >> 16));
    store16_be(to + 2, (uint16_t)number);
}

// a is before b, modulo 2^32 (RFC 9293 section 3.4).
static inline bool seq_lt(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

#endif
