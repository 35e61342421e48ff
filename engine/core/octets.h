// SPDX-License-Identifier: MIT
// Octets on the wire to numbers and back, and the order of sequence numbers.
#ifndef WHIT_CORE_OCTETS_H
#define WHIT_CORE_OCTETS_H

#include <stdbool.h>
#include <stdint.h>

#include "called.h"

#define REVERSED (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)    // the machine's byte order is not the network's

// Numbers at any address: read and written whole if the processor can, else octet by octet, and never by a call of
// memcpy().
struct wire16 {
    uint16_t number;
} __attribute__((packed, may_alias));
struct wire32 {
    uint32_t number;
} __attribute__((packed, may_alias));
struct wire64 {
    uint64_t number;
} __attribute__((packed, may_alias));

static inline uint16_t load16_be(const uint8_t *from)
{
    uint16_t wire = ((const struct wire16 *)(const void *)from)->number;
    return REVERSED ? __builtin_bswap16(wire) : wire;
}

CALLED uint32_t load32_be(const uint8_t *from)
{
    uint32_t wire = ((const struct wire32 *)(const void *)from)->number;
    return REVERSED ? __builtin_bswap32(wire) : wire;
}

static inline uint64_t load64_be(const uint8_t *from)
{
    uint64_t wire = ((const struct wire64 *)(const void *)from)->number;
    return REVERSED ? __builtin_bswap64(wire) : wire;
}

// The first octet becomes the lowest.
static inline uint64_t load64_le(const uint8_t *from)
{
    uint64_t wire = ((const struct wire64 *)(const void *)from)->number;
    return REVERSED ? wire : __builtin_bswap64(wire);
}

static inline void store16_be(uint8_t *to, uint16_t number)
{
    ((struct wire16 *)(void *)to)->number = REVERSED ? __builtin_bswap16(number) : number;
}

CALLED void store32_be(uint8_t *to, uint32_t number)
{
    ((struct wire32 *)(void *)to)->number = REVERSED ? __builtin_bswap32(number) : number;
}

// a is before b, modulo 2^32 (RFC 9293 section 3.4).
static inline bool seq_lt(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

#endif
