// SPDX-License-Identifier: MIT
// The Internet checksum (RFC 1071). A sum here is the one's complement sum of big-endian 16-bit words, not complemented.
#ifndef WHIT_CHECKSUM_H
#define WHIT_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

// The sum of two sums.
static inline uint16_t checksum_add(uint16_t sum, uint16_t more)
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

// `sum` and `len` octets of RAM more. odd: the first of them is the second octet of a word.
uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);

// The same over octets in flash. Static content never comes here but for what a peer's tiny window cuts out of a chunk.
uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);

#endif
