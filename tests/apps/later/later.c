// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <args>
       <arg name="first" type="uint16" default="0"/>
       <arg name="waits" type="uint16" default="0"/>
       <arg name="second" type="uint16" default="0"/>
       <arg name="ends" type="enum" values="done status field nothing unavailable" default="done"/>
       <arg name="later" type="bool" default="1"/>
     </args>
   </generator> */
// Writes some octets, waits, writes others, and then decides.
#include <whit/app.h>

enum { DONE, STATUS, FIELD, NOTHING, UNAVAILABLE };

struct state_t {
    uint16_t at;
    uint32_t since;
};

static char say(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    if (args->later)
        answer_later();
    for (state->at = 0; state->at < args->first; state->at++)
        PT_OUT_C(pt, 'a');
    state->since = TIME_MILLIS;
    PT_WAIT_UNTIL(pt, args->waits == 0 || TIME_MILLIS - state->since >= args->waits);
    for (state->at = 0; state->at < args->second; state->at++)
        PT_OUT_C(pt, 'b');
    if (args->ends == NOTHING)
        return 0;
    if (args->ends == UNAVAILABLE)
        return PT_UNAVAILABLE;
    if (args->ends == STATUS)
        answer_status(404);
    if (args->ends == FIELD) {
        answer_status(303);
        answer_field("Location", "/elsewhere");
    }
    PT_END(pt);
}
