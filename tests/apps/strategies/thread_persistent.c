// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent"/>
     <args><arg name="len" type="uint32"/><arg name="pause" type="uint32" optional="true"/></args>
   </generator> */
// S3: writes its run, then `len` octets; waits before octet `pause`, until another request opens the gate.
#include "say.h"

extern bool gate;

struct state_t {
    uint32_t run, i;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->run = next_run();
    PT_OUT_UINT(pt, state->run);
    PT_OUT_C(pt, ':');
    for (state->i = 0; state->i < args->len; state->i++) {
        if (args->pause != 0 && state->i == args->pause)
            PT_WAIT_UNTIL(pt, gate);
        PT_OUT_C(pt, octet_at(state->i));
    }
    PT_END(pt);
}
