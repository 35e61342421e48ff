// SPDX-License-Identifier: MIT
// Octets on the wire to numbers and back, and the order of sequence numbers.
#ifndef WHIT_OCTETS_H
#define WHIT_OCTETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REVERSED (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)    // the machine's octets stand the other way round

static inline uint16_t load16_be(const uint8_t *from)
{
    uint16_t wire;
    memcpy(&wire, from, sizeof wire);
    return REVERSED ? __builtin_bswap16(wire) : wire;
}

static inline uint32_t load32_be(const uint8_t *from)
{
    uint32_t wire;
    memcpy(&wire, from, sizeof wire);
    return REVERSED ? __builtin_bswap32(wire) : wire;
}

static inline void store16_be(uint8_t *to, uint16_t number)
{
    uint16_t wire = REVERSED ? __builtin_bswap16(number) : number;
    memcpy(to, &wire, sizeof wire);
}

static inline void store32_be(uint8_t *to, uint32_t number)
{
    uint32_t wire = REVERSED ? __builtin_bswap32(number) : number;
    memcpy(to, &wire, sizeof wire);
}

// a is before b, modulo 2^32 (RFC 9293 section 3.4).
static inline bool seq_lt(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

#endif
