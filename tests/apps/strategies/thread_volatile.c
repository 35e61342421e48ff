// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
     <args><arg name="cnt" type="uint32"/></args>
   </generator> */
// S4 from rerun points: cnt words of 7 octets, of which the first is written as a text and the last as a number.
#include "say.h"

struct state_t {
    uint32_t i;
    uint8_t place;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    PT_OUT_STR(pt, "begin ");
    for (state->i = 0; state->i < args->cnt; state->i++) {
        for (state->place = 0; state->place < 7; state->place++)
            PT_OUT_C(pt, octet_at(state->i * 7 + state->place));
    }
    PT_OUT_UINT(pt, args->cnt);
    PT_OUT_STR(pt, " words: that is all that there is to be said of it");
    PT_END(pt);
}
