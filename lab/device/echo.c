// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="echo"/>
     <properties persistence="volatile"/>
     <service name="device" namespace="urn:whit:device" as="soap"/>
     <args><arg name="value" type="int32"/></args>
     <result><value name="value" type="int32"/></result>
   </generator> */
// Gives the number back.
#include <whit/app.h>

static char echo(struct args_t *args, struct result_t *result)
{
    result->value = args->value;
    return 1;
}
