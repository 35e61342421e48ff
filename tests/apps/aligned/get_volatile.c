// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="cnt" type="uint8"/><arg name="text" type="str" size="20" optional="true"/></args>
   </generator> */
#include "say.h"

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    for (; state->i < args->cnt; state->i++) {
        PT_OUT_C(pt, lies_well(state) ? 'y' : 'n');
        turn(state);
        PT_OUT_STR(pt, " some words that fill the room that there is ");
    }
    PT_OUT_UINT(pt, (uint32_t)state->sum);
    PT_END(pt);
}
