// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="idempotent"/>
     <args><arg name="len" type="uint16"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
#include "say.h"

struct state_t {
    uint16_t i;
};

static char say(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    whit_inprocess_spend(args->cost_us);
    for (state->i = 0; state->i < args->len; state->i++)
        PT_OUT_C(pt, octet_at(state->i));
    PT_END(pt);
}
