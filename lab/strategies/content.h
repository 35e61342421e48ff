// SPDX-License-Identifier: MIT
// Output of all generators of this application. No octet reveals the next one, so that a splice is detected.
#ifndef CONTENT_H
#define CONTENT_H

#include "whit/app.h"

#define SMALL UINT32_C(600)
#define LARGE UINT32_C(8192)

static inline char octet_at(uint32_t index)
{
    return (char)(uint8_t)(index * UINT32_C(2654435761) >> 24);
}

static inline void write_octets(uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        out_c(octet_at(i));
}

#endif
