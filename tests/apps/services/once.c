// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="add"/>
     <service name="counter" namespace="urn:example:counter" operation="Add" as="json"/>
     <args><arg name="by" type="int8"/><arg name="how" type="enum" values="well badly refused" default="well"/></args>
     <result><value name="sum" type="int32"/></result>
   </generator> */
// Adds a number, once for each call. By JSON only.
#include <whit/app.h>

static int32_t sum;

static char add(struct args_t *args, struct result_t *result)
{
    sum += args->by;
    if (args->how == 2) {
        answer_status(409);
        return fault("not now");
    }
    result->sum = sum;
    return args->how == 0;
}
