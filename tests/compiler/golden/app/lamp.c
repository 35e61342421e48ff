// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="lamp_init" doGet="switch_lamp"/>
     <properties persistence="persistent"/>
     <args>
       <arg name="on" type="bool"/>
       <arg name="level" type="uint8" optional="true"/>
     </args>
   </generator> */
#include "lamp.h"

#include <whit/app.h>

static char lamp_init(void)
{
    lamp_set(0);
    return 1;
}

static char switch_lamp(struct args_t *args)
{
    lamp_set(args->on ? (uint8_t)(args->level + 1) : 0);
    out_str(args->on ? "on" : "off");
    return 1;
}
