// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Fills a third of the buffer until it is acknowledged.
#include "whit/app.h"

static char write(struct args_t *args)
{
    (void)args;
    for (uint16_t i = 0; i < 350; i++)
        out_c('x');
    return 1;
}
