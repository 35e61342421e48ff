// SPDX-License-Identifier: MIT
// The output of all generators of this application.
#ifndef SAY_H
#define SAY_H

#include <whit/app.h>

static inline char octet_at(uint32_t index)
{
    return (char)('a' + (index + index / 26) % 26);
}

// In-process port: simulates the time of a generator.
void whit_inprocess_spend(uint32_t us);

#endif
