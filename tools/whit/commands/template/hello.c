// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="greet"/>
     <properties persistence="volatile"/>
     <args><arg name="name" type="str" size="64" optional="true"/></args>
     <result>
       <value name="greeting" type="str" size="72"/>
       <value name="uptime_s" type="uint32"/>
     </result>
   </generator> */
// Greets who calls it, and says how long this device has been running.
#include <string.h>
#include "whit/app.h"

// Served as /hello: what comes is checked before this function runs, and what it fills in is sent as JSON. persistence
// tells how it is called: "persistent", the default, has effects, so that it is called by POST and runs once for each
// request; "volatile" may be asked by GET too, with another answer each time; "idempotent" gives the same each time.
static char greet(struct args_t *args, struct result_t *result)
{
    strcpy(result->greeting, "Hello ");
    strcat(result->greeting, args->name[0] != '\0' ? args->name : "stranger");
    result->uptime_s = whit_port_now_ms() / 1000;
    return 1;
}
