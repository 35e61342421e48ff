// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="list"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// All records, as they come. Once some have left, a failure cuts the answer off.
#include <whit/app.h>
#include <whit/database.h>

struct state_t {
    struct whit_query query;
    uint8_t status;
};

static bool line(struct whit_pt *pt, const struct whit_query *query)
{
    struct query_value name;
    return !query_column(query, 1, &name) || whit_pt_mem(pt, name.text, name.len);
}

static char list(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    answer_later();
    PT_WAIT_UNTIL(pt, (state->status = query_begin(&state->query, WHIT_STATEMENT_ALL, 0, 0)) != QUERY_WAITS);
    if (state->status == QUERY_FAILED)
        return PT_UNAVAILABLE;
    while (state->status == QUERY_ROW) {
        PT_WAIT_UNTIL(pt, line(pt, &state->query));
        PT_OUT_C(pt, '\n');
        PT_WAIT_UNTIL(pt, (state->status = query_next(&state->query)) != QUERY_WAITS);
    }
    if (state->status == QUERY_FAILED)
        return PT_UNAVAILABLE;
    PT_END(pt);
}
