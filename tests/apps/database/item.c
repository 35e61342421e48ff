// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="item"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="id" type="uint32"/></args>
   </generator> */
// One record, a value a line; 404 without one, 503 without a database.
#include <whit/app.h>
#include <whit/database.h>

struct state_t {
    struct whit_query query;
    uint8_t status;
    uint8_t column;
};

static void say(const struct whit_query *query, uint8_t column)
{
    struct query_value value;
    if (!query_column(query, column, &value))
        return;
    if (value.type == QUERY_TEXT)
        out_mem(value.text, value.len);
    else
        out_str(value.type == QUERY_NULL ? "NULL" : "?");
    out_c('\n');
}

static bool ask(struct state_t *state, const struct args_t *args)
{
    struct query_value id = {.type = QUERY_UINT, .unsigned_integer = args->id};
    state->status = query_begin(&state->query, WHIT_STATEMENT_ITEM, &id, 1);
    return state->status != QUERY_WAITS;
}

static char item(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    answer_later();
    PT_WAIT_UNTIL(pt, ask(state, args));
    if (state->status == QUERY_FAILED)
        return PT_UNAVAILABLE;
    if (state->status == QUERY_END)
        answer_status(404);
    for (; state->status == QUERY_ROW && state->column < 3; state->column++)
        say(&state->query, state->column);
    query_end(&state->query);
    PT_END(pt);
}
