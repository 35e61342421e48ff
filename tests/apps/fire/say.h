// SPDX-License-Identifier: MIT
#include <whit/app.h>

extern uint8_t epoch;    // state of the world; changes with time

// Returns octet `index` of the output of a run with that stamp.
static inline char octet_at(uint32_t index, uint8_t stamp)
{
    return (char)(uint8_t)((index * UINT32_C(2654435761) >> 24) + stamp * 37u);
}

// The side effect: persistent memory counts the runs for each id. Returns a stamp.
static inline uint8_t effect(uint16_t id)
{
    static uint8_t stamp;
    uint8_t runs = 0;

    persistent_read(id, &runs, 1);
    runs++;
    persistent_write(id, &runs, 1);
    return stamp++;
}
