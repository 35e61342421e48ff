// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="echo"/>
     <properties persistence="idempotent"/>
     <service name="thermostat" as="soap json form"/>
     <args><arg name="text" type="str" size="64"/></args>
     <result><value name="text" type="str" size="64"/></result>
   </generator> */
// Gives the text back.
#include <string.h>
#include <whit/app.h>

static char echo(struct args_t *args, struct result_t *result)
{
    memcpy(result->text, args->text, sizeof result->text);
    return 1;
}
