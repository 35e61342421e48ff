// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="pause" type="uint16" optional="true"/></args>
   </generator> */
// S4 from rerun points.
#include "said.h"

struct state_t {
    uint16_t i;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    PT_OUT_STR(pt, "R 0 ");
    PT_OUT_UINT(pt, args->len);
    PT_OUT_STR(pt, " .\n");
    for (state->i = 0; state->i < args->len; state->i++) {
        if (args->pause != 0 && state->i == args->pause)
            PT_WAIT_UNTIL(pt, gate_open());
        PT_OUT_C(pt, octet_at(state->i));
    }
    PT_END(pt);
}
