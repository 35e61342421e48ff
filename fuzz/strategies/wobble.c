// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="each" type="bool" optional="true"/></args>
   </generator> */
// S4 that changes with time: it has one letter, or (each) each octet is the current letter, so that octets are alike.
#include "said.h"

struct state_t {
    uint16_t i;
    char letter;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->letter = args->each ? '*' : letter_now();
    PT_OUT_STR(pt, "W 0 ");
    PT_OUT_UINT(pt, args->len);
    PT_OUT_C(pt, ' ');
    PT_OUT_C(pt, args->each ? '*' : state->letter);
    PT_OUT_C(pt, '\n');
    for (state->i = 0; state->i < args->len; state->i++)
        PT_OUT_C(pt, args->each ? letter_now() : state->letter);
    PT_END(pt);
}
