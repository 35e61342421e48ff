// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="count"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Counts its runs in persistent memory and writes their number.
#include "whit/app.h"

static char count(struct args_t *args)
{
    uint8_t runs[4];
    uint32_t n;

    (void)args;
    if (!persistent_read(0, runs, sizeof runs))
        return 0;
    n = runs[0] | (uint32_t)runs[1] << 8 | (uint32_t)runs[2] << 16 | (uint32_t)runs[3] << 24;
    n++;
    for (uint8_t i = 0; i < sizeof runs; i++)
        runs[i] = (uint8_t)(n >> 8 * i);
    if (!persistent_write(0, runs, sizeof runs))
        return 0;
    out_str("run ");
    out_uint(n);
    return 1;
}
