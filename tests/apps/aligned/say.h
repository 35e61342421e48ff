// SPDX-License-Identifier: MIT
// A state as an author writes it for any machine, and its conditions at each entry.
#ifndef SAY_H
#define SAY_H

#include "whit/app.h"

struct state_t {
    uint8_t i;
    uint64_t sum;
    const char *text;
};

static const char words[] = "0123456789";

static bool lies_well(struct state_t *state)
{
    return (uintptr_t)state % _Alignof(struct state_t) == 0;
}

static void turn(struct state_t *state)
{
    if (state->i == 0)
        state->text = words;
    state->sum += (uint8_t)*state->text;
    state->text = state->i % 10 == 9 ? words : state->text + 1;
}

#endif
