// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
     <args><arg name="cnt" type="uint8"/></args>
   </generator> */
// S4 with as much state as there may be.
#include "../strategies/say.h"

struct state_t {
    uint8_t i, place;
    uint8_t said[253];
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    for (state->i = 0; state->i < args->cnt; state->i++) {
        state->said[state->i] = 1;
        for (state->place = 0; state->place < 7; state->place++)
            PT_OUT_C(pt, octet_at(state->i * UINT32_C(7) + state->place));
    }
    PT_END(pt);
}
