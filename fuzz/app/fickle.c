// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="waver_init" doGet="waver"/>
     <properties persistence="idempotent" content-type="text/plain"/>
   </generator> */
// A generator that is declared idempotent and is not: every fifth run writes other octets, and now and then it fails.
#include "whit/app.h"

static uint8_t run;

static char waver_init(void)
{
    run = 0;
    return 1;
}

static char waver(struct args_t *args)
{
    (void)args;
    run++;
    for (uint16_t i = 0; i < 1000; i++)
        out_c(run % 5 == 4 ? 'b' : 'a');
    return run % 16 != 15;
}
