// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="pause"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Reads an octet of a host, waits for two seconds, and writes whether the connection is open.
#include <whit/app.h>
#include <whit/client.h>

struct state_t {
    whit_client client;
    uint32_t since_ms;
};

static char pause(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    state->client = client_open(167772170, 7000, 500);
    PT_WAIT_UNTIL(pt, client_available(state->client) != 0 || client_state(state->client) > CLIENT_OPEN);
    client_skip(state->client, 1);
    state->since_ms = TIME_MILLIS;
    PT_WAIT_UNTIL(pt, TIME_MILLIS - state->since_ms >= 2000);
    PT_OUT_STR(pt, client_state(state->client) == CLIENT_OPEN ? "open" : "over");
    client_close(state->client);
    PT_END(pt);
}
