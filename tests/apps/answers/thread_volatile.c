// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="admit" doGet="say"/>
     <properties persistence="volatile"/>
     <args><arg name="there" type="bool"/></args>
   </generator> */
#include <whit/app.h>

struct state_t {
    uint16_t i;
};

static char admit(struct args_t *args)
{
    if (!args->there)
        answer_status(404);
    answer_field("X-There", "perhaps");
    return 1;
}

static char say(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    for (state->i = 0; state->i < 500; state->i++)
        PT_OUT_STR(pt, "once more\n");
    PT_END(pt);
}
