// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write" doPost="take"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args>
       <arg name="len" type="uint8"/>
       <arg name="number" type="int16" optional="true"/>
       <arg name="text" type="str" size="12" optional="true"/>
     </args>
   </generator> */
// Its arguments come in the target or in a body.
#include "said.h"

static char write(struct args_t *args)
{
    say('F', 0, args->len, args->text[0] >= 'a' && args->text[0] <= 'z' ? args->text[0] : '.');
    return 1;
}

static char take(struct args_t *args)
{
    uint32_t run = next_run();

    say('F', run, args->len + (args->number < 0 ? 7u : 0), '.');
    return run != 0 && args->len != 99;
}
