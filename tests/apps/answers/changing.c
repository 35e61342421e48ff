// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="volatile"/>
   </generator> */
#include <whit/app.h>

static uint8_t runs;

static char say(struct args_t *args)
{
    (void)args;
    if (++runs & 1)
        answer_status(503);
    out_uint(runs);
    return 1;
}
