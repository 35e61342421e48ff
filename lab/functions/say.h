// SPDX-License-Identifier: MIT
// What all generators of this application say.
#ifndef SAY_H
#define SAY_H

#include <whit/app.h>

static inline char octet_at(uint32_t index)
{
    return (char)('a' + (index + index / 26) % 26);
}

// Of the in-process port: a generator took so long.
void whit_inprocess_spend(uint32_t us);

#endif
