// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="stay"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="keep" type="uint8" default="0"/></args>
   </generator> */
// Says "aaaab", and reads until the connection has failed.
#include <whit/app.h>
#include <whit/client.h>

struct state_t {
    whit_client client;
};

static char stay(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->client = client_open(167772170, 7000, 5000);
    if (args->keep)
        client_keep(state->client);
    client_send(state->client, "aaaab", 5);
    PT_WAIT_UNTIL(pt, client_state(state->client) == CLIENT_FAILED);
    out_str("|failed");
    client_close(state->client);
    PT_END(pt);
}
