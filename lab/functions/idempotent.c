// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="idempotent"/>
     <args><arg name="len" type="uint16"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
#include "say.h"

static char say(struct args_t *args)
{
    whit_inprocess_spend(args->cost_us);
    for (uint16_t i = 0; i < args->len; i++)
        out_c(octet_at(i));
    return 1;
}
