// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="idempotent"/>
     <args><arg name="len" type="uint32"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
// S4, or S3 when each of its octets takes cost_us.
#include "say.h"

void whit_inprocess_spend(uint32_t us);

struct state_t {
    uint32_t i;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    for (state->i = 0; state->i < args->len; state->i++) {
        PT_OUT_C(pt, octet_at(state->i));
        whit_inprocess_spend(args->cost_us);
    }
    PT_END(pt);
}
