// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="begin" doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args>
       <arg name="which" type="uint8"/>
       <arg name="len" type="uint16"/>
       <arg name="step" type="uint16"/>
       <arg name="stay" type="bool" optional="true"/>
     </args>
   </generator> */
// Writes a content; stay: and does not end it.
#include "said.h"

static uint8_t runs;

static char begin(void)
{
    runs = 0;
    return 1;
}

static char write(struct args_t *args)
{
    uint32_t run = next_run();

    runs++;
    write_stored(args->which, (char)('a' + runs % 26), args->len, args->step, !args->stay);
    say('K', run, 0, '.');
    return run != 0;
}
