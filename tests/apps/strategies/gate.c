// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="open"/>
     <properties persistence="persistent"/>
     <args><arg name="open" type="bool"/></args>
   </generator> */
// The state that thread_persistent waits for.
#include <whit/app.h>

bool gate;

static char open(struct args_t *args)
{
    gate = args->open;
    out_uint(gate);
    return 1;
}
