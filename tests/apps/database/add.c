// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="add"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="name" type="str" size="60"/></args>
   </generator> */
// Adds a record, and writes its number.
#include <string.h>

#include <whit/app.h>
#include <whit/database.h>

struct state_t {
    struct whit_query query;
    uint8_t status;
};

static bool ask(struct state_t *state, const struct args_t *args)
{
    struct query_value values[2] = {
        {.type = QUERY_TEXT, .len = (uint16_t)strlen(args->name), .text = args->name},
        {.type = QUERY_NULL},
    };
    state->status = query_begin(&state->query, WHIT_STATEMENT_ADD, values, 2);
    return state->status != QUERY_WAITS;
}

static char add(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    answer_later();
    PT_WAIT_UNTIL(pt, ask(state, args));
    if (state->status == QUERY_FAILED)
        return PT_UNAVAILABLE;
    out_uint((uint32_t)query_inserted(&state->query));
    PT_END(pt);
}
