// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="ready" doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="pause" type="uint16" optional="true"/></args>
   </generator> */
// S3. Waits before octet `pause` until the gate is open.
#include "said.h"

struct state_t {
    uint32_t run;
    uint16_t i;
};

static char ready(struct args_t *args)
{
    return args->len != 13;
}

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->run = next_run();
    if (state->run == 0)
        return 0;
    PT_OUT_STR(pt, "T ");
    PT_OUT_UINT(pt, state->run);
    PT_OUT_C(pt, ' ');
    PT_OUT_INT(pt, args->len);
    PT_OUT_MEM(pt, " .\n", 3);
    for (state->i = 0; state->i < args->len; state->i++) {
        if (args->pause != 0 && state->i == args->pause)
            PT_WAIT_UNTIL(pt, gate_open());
        PT_OUT_C(pt, octet_at(state->i));
    }
    PT_END(pt);
}
