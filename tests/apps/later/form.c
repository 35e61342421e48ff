// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPost="take"/>
     <args>
       <arg name="name" type="str" size="20"/>
       <arg name="waits" type="uint16" default="0"/>
       <arg name="times" type="uint16" default="1"/>
       <arg name="there" type="bool" default="1"/>
     </args>
   </generator> */
// A form whose handler waits.
#include <whit/app.h>

struct state_t {
    uint16_t at;
    uint32_t since;
};

static char take(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    answer_later();
    state->since = TIME_MILLIS;
    PT_WAIT_UNTIL(pt, args->waits == 0 || TIME_MILLIS - state->since >= args->waits);
    if (!args->there)
        return PT_UNAVAILABLE;
    for (state->at = 0; state->at < args->times; state->at++) {
        PT_OUT_STR(pt, args->name);
        PT_OUT_C(pt, '.');
    }
    PT_END(pt);
}
