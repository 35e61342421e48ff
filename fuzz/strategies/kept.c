// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/></args>
   </generator> */
// S1.
#include "said.h"

static char write(struct args_t *args)
{
    uint32_t run = next_run();

    say('K', run, args->len, '.');
    return run != 0;
}
