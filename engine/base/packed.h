// SPDX-License-Identifier: MIT
// Numbers of 16 bits in fewer: small ones exact, larger ones with `bits` bits after the leading one, rounded down.
// A code's upper part is the exponent, 0 meaning that the lower part is the number.
#ifndef WHIT_PACKED_H
#define WHIT_PACKED_H

#include <stdint.h>

#include "limits.h"

static inline uint16_t packed(uint16_t number, uint8_t bits)
{
    uint8_t exponent = 0;
    if (WHIT_FAST && number >> (bits + 1) != 0) {
        exponent = (uint8_t)(8 * sizeof(unsigned) - 1 - bits - (unsigned)__builtin_clz(number));
        number >>= exponent;
    }
    while (!WHIT_FAST && number >> (bits + 1) != 0) {
        number >>= 1;
        exponent++;
    }
    if (number >> bits == 0)
        return number;
    return (uint16_t)((uint16_t)((exponent + 1) << bits) | (number & ((1u << bits) - 1)));
}

static inline uint16_t unpacked(uint16_t code, uint8_t bits)
{
    uint8_t exponent = (uint8_t)(code >> bits);
    uint16_t number = (uint16_t)(code & ((1u << bits) - 1));
    if (exponent == 0)
        return number;
    return (uint16_t)((number | 1u << bits) << (exponent - 1));
}

#define WND_BITS 8     // 12-bit codes: a window loses less than 1/256
#define SSTHRESH_BITS 1    // 4-bit codes: 0..255 segments in steps of a half

#endif
