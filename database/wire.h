// SPDX-License-Identifier: MIT
// Numbers on the wire: little-endian, or with a first octet that gives their length.
#ifndef DATABASE_WIRE_H
#define DATABASE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t read_uint(const uint8_t *from, uint8_t len)
{
    uint64_t number = 0;
    while (len-- > 0)
        number = number << 8 | from[len];
    return number;
}

// Reads the number at *from and moves *from past it. False: no number is there, or it extends beyond `end`.
static inline bool read_length(const uint8_t **from, const uint8_t *end, uint64_t *to)
{
    if (*from >= end)
        return false;
    uint8_t first = *(*from)++;
    uint8_t len = first < 0xfb ? 0 : first == 0xfc ? 2 : first == 0xfd ? 3 : first == 0xfe ? 8 : 255;
    *to = first;
    if (len == 0)
        return true;
    if (len > end - *from)
        return false;
    *to = read_uint(*from, len);
    *from += len;
    return true;
}

#endif
