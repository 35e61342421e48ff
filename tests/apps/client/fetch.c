// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="fetch"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args>
       <arg name="host" type="uint32" default="167772170"/>
       <arg name="port" type="uint16" default="7000"/>
       <arg name="timeout" type="uint16" default="5000"/>
       <arg name="len" type="uint16" default="5"/>
       <arg name="close" type="uint8" default="1"/>
     </args>
   </generator> */
// Sends "aaaa...b" of len octets to a host, and writes the host's octets until it has closed, and the result.
#include <whit/app.h>
#include <whit/client.h>

struct state_t {
    whit_client client;
    uint16_t said, got;
    char octets[64];
};

static char fetch(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->client = client_open(args->host, args->port, args->timeout);
    if (state->client == 0) {
        PT_OUT_STR(pt, "none");
        return PT_DONE;
    }
    for (state->said = 0; state->said < args->len; state->said++)
        PT_WAIT_UNTIL(pt, client_send(state->client, state->said + 1 == args->len ? "b" : "a", 1) ||
                              client_state(state->client) == CLIENT_FAILED);
    while (client_state(state->client) == CLIENT_OPENING || client_state(state->client) == CLIENT_OPEN ||
           client_available(state->client) != 0) {
        PT_WAIT_UNTIL(pt, client_available(state->client) != 0 || client_state(state->client) > CLIENT_OPEN);
        state->got = client_peek(state->client, state->octets, 0, sizeof state->octets);
        client_skip(state->client, state->got);
        PT_OUT_MEM(pt, state->octets, state->got);
    }
    PT_OUT_STR(pt, client_state(state->client) == CLIENT_FAILED ? "|failed" : "|ended");
    if (args->close)
        client_close(state->client);
    PT_END(pt);
}
