// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="idempotent"/>
     <args><arg name="len" type="uint32"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
// S1 or S2, as it costs.
#include "say.h"

void whit_inprocess_spend(uint32_t us);

static char write(struct args_t *args)
{
    whit_inprocess_spend(args->cost_us);
    for (uint32_t i = 0; i < args->len; i++)
        out_c(octet_at(i));
    return 1;
}
