// SPDX-License-Identifier: MIT
#include <whit/app.h>

// Octet `index` of "000000 000001 000002 ...".
static inline char octet_at(uint32_t index)
{
    uint32_t number = index / 7;
    uint8_t place = (uint8_t)(index % 7);
    if (place == 6)
        return ' ';
    for (uint8_t i = 5; i > place; i--)
        number /= 10;
    return (char)('0' + number % 10);
}

// Persistent memory: address 0 counts how often persistent ones ran.
static inline uint32_t next_run(void)
{
    uint32_t run = 0;
    persistent_read(0, &run, sizeof run);
    run++;
    persistent_write(0, &run, sizeof run);
    return run;
}
