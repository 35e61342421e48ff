// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="get"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args>
       <arg name="host" type="uint32" default="167772170"/>
       <arg name="port" type="uint16" default="7000"/>
       <arg name="timeout" type="uint16" default="2000"/>
       <arg name="part" type="uint16" default="100"/>
       <arg name="target" type="str" size="100" optional="true"/>
       <arg name="name" type="str" size="100" optional="true"/>
     </args>
   </generator> */
// Writes status and content of a host's answer, `part` octets at a time, and the result.
#include <stddef.h>
#include <whit/app.h>
#include <whit/http_get.h>

struct state_t {
    struct whit_http_get get;
    uint16_t len;
    char octets[128];
};

static bool begin(struct state_t *state, const struct args_t *args)
{
    const char *target = args->target[0] != 0 ? args->target : "/", *name = args->name[0] == 0     ? "thing"
                                                                            : args->name[0] == '-' ? NULL
                                                                                                   : args->name;
    return http_get_begin(&state->get, args->host, args->port, name, target, args->timeout);
}

static char get(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    if (!begin(state, args)) {
        PT_OUT_STR(pt, "none");
        return PT_DONE;
    }
    PT_WAIT_UNTIL(pt, http_get_state(&state->get) != HTTP_GET_WAITS);
    PT_OUT_UINT(pt, state->get.status);
    PT_OUT_STR(pt, "|");
    while (http_get_state(&state->get) < HTTP_GET_END) {
        PT_WAIT_UNTIL(pt, http_get_state(&state->get) != HTTP_GET_WAITS);
        state->len = http_get_read(&state->get, state->octets,
                                   args->part < sizeof state->octets ? args->part : sizeof state->octets);
        PT_OUT_MEM(pt, state->octets, state->len);
    }
    PT_OUT_STR(pt, http_get_state(&state->get) == HTTP_GET_END ? "|end" : "|failed");
    http_get_end(&state->get);
    PT_END(pt);
}
