// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="slow"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="s" type="uint8"/></args>
   </generator> */
// A statement that takes `s` seconds.
#include <whit/app.h>
#include <whit/database.h>

struct state_t {
    struct whit_query query;
    uint8_t status;
};

static bool ask(struct state_t *state, const struct args_t *args)
{
    struct query_value seconds = {.type = QUERY_UINT, .unsigned_integer = args->s};
    state->status = query_begin(&state->query, WHIT_STATEMENT_SLOW, &seconds, 1);
    return state->status != QUERY_WAITS;
}

static char slow(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    answer_later();
    PT_WAIT_UNTIL(pt, ask(state, args));
    if (state->status == QUERY_FAILED)
        return PT_UNAVAILABLE;
    out_str("slept");
    query_end(&state->query);
    PT_END(pt);
}
