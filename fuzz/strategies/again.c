// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
// S1 or S2, as it costs.
#include "said.h"

static char write(struct args_t *args)
{
    fuzz_spend(args->cost_us);
    say('I', 0, args->len, '.');
    return 1;
}
