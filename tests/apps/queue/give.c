// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="give"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
#include <whit/app.h>
#include <whit/client.h>

extern uint8_t turn_things;

static char give(struct args_t *args)
{
    (void)args;
    turn_things = 1;
    client_call();
    out_str("given");
    return 1;
}
