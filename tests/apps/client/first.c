// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="first"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="timeout" type="uint16" default="5000"/></args>
   </generator> */
// Sends "?", and closes after the first octet of the answer.
#include <whit/app.h>
#include <whit/client.h>

struct state_t {
    whit_client client;
};

static char first(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    char octet;
    PT_BEGIN(pt);
    state->client = client_open(167772170, 7000, args->timeout);
    client_send(state->client, "?", 1);
    PT_WAIT_UNTIL(pt, client_available(state->client) != 0 || client_state(state->client) > CLIENT_OPEN);
    octet = '-';
    client_peek(state->client, &octet, 0, 1);
    client_skip(state->client, 1);
    out_c(octet);
    client_close(state->client);
    PT_END(pt);
}
