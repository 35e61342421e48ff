// SPDX-License-Identifier: MIT
// Octets on the wire to numbers and back, and the order of sequence numbers.
#ifndef WHIT_CORE_OCTETS_H
#define WHIT_CORE_OCTETS_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

#define REVERSED (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)    // the machine's octets stand the other way round

// Anywhere in memory: read and written whole where the processor can, else octet by octet, and never by a call of memcpy().
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

// ------------------------------------------------------------------------------------------------ the Internet checksum

// The Internet checksum (RFC 1071). A sum here is the one's complement sum of big-endian 16-bit words, not complemented.

// The sum of two sums.
CALLED uint16_t checksum_add(uint16_t sum, uint16_t more)
{
    uint32_t wide = (uint32_t)sum + more;
    return (uint16_t)(wide + (wide >> 16));
}

// What remains of `sum` when `less`, the sum of its beginning, is taken away.
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

// What a number of 32 bits adds to a wide sum.
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

// The same over octets in flash. Static content never comes here but for what a peer's tiny window cuts out of a chunk.
uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);

#endif
