// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="count_run"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Counts its runs in persistent memory.
#include "whit/app.h"

static char count_run(struct args_t *args)
{
    uint32_t runs;

    (void)args;
    if (!persistent_read(0, &runs, sizeof runs))
        return 0;
    runs++;
    if (!persistent_write(0, &runs, sizeof runs))
        return 0;
    out_str("run ");
    out_uint(runs);
    return 1;
}
