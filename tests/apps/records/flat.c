// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="flat"/>
     <properties persistence="volatile"/>
     <args><arg name="n" type="uint8"/><arg name="m" type="uint8" default="3"/></args>
     <result><value name="n" type="uint8"/><value name="m" type="uint8"/></result>
   </generator> */
// Beside a function that takes records, one that takes none.
#include <whit/app.h>

static char flat(struct args_t *args, struct result_t *result)
{
    result->n = args->n;
    result->m = args->m;
    return 1;
}
