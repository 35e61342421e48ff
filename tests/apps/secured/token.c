// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="give"/>
     <service name="lamp" operation="token" as="soap" security="digest"/>
     <args><arg name="level" type="uint8"/></args>
     <result>
       <value name="level" type="uint8"/>
       <value name="calls" type="uint32"/>
     </result>
   </generator> */
#include <whit/app.h>

static uint32_t calls;

static char give(struct args_t *args, struct result_t *result)
{
    result->level = args->level;
    result->calls = ++calls;
    return 1;
}
