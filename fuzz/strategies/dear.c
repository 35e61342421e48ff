// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="cost_us" type="uint32" optional="true"/></args>
   </generator> */
// S3 or S4, as it costs.
#include "said.h"

struct state_t {
    uint16_t i;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    fuzz_spend(args->cost_us);
    PT_BEGIN(pt);
    PT_OUT_STR(pt, "I 0 ");
    PT_OUT_UINT(pt, args->len);
    PT_OUT_STR(pt, " .\n");
    for (state->i = 0; state->i < args->len; state->i++)
        PT_OUT_C(pt, octet_at(state->i));
    PT_END(pt);
}
