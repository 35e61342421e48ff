// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="whole"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args>
       <arg name="first" type="uint16"/>
       <arg name="then" type="uint16"/>
     </args>
   </generator> */
// Reads `first` octets, and then `then` octets when all of them are there.
#include <whit/app.h>
#include <whit/client.h>

struct state_t {
    whit_client client;
};

static bool has(whit_client client, uint16_t len)
{
    return client_available(client) >= len || client_state(client) > CLIENT_OPEN;
}

static char whole(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->client = client_open(167772170, 7000, 5000);
    PT_WAIT_UNTIL(pt, has(state->client, args->first));
    client_skip(state->client, args->first);
    PT_WAIT_UNTIL(pt, has(state->client, args->then));
    PT_OUT_UINT(pt, client_available(state->client));
    client_close(state->client);
    PT_END(pt);
}
