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
// Greets the caller, and returns the time since the device was started.
#include <string.h>
#include "whit/app.h"

// Answers /hello. The engine checks the arguments before this function runs, and sends the result as JSON. The property
// persistence selects how it is called. "persistent", the default, has effects: it is called by POST and runs once for
// each request. "volatile" also permits GET, with another answer each time. "idempotent" always gives the same answer.
static char greet(struct args_t *args, struct result_t *result)
{
    strcpy(result->greeting, "Hello ");
    strcat(result->greeting, args->name[0] != '\0' ? args->name : "stranger");
    result->uptime_s = whit_port_now_ms() / 1000;
    return 1;
}
