// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="half"/>
     <service as="soap json"/>
     <args><arg name="number" type="int8"/></args>
     <result><value name="half" type="int16" scale="1"/></result>
   </generator> */
// Called by JSON only, with faults of both kinds. Its runs are counted at address 0, as `fuzz/said.c` expects.
#include <whit/app.h>

static char half(struct args_t *args, struct result_t *result)
{
    uint32_t runs = 0;

    persistent_read(0, &runs, sizeof runs);
    runs++;
    if (!persistent_write(0, &runs, sizeof runs))
        return 0;
    if (args->number == 7) {
        answer_status(409);
        return fault("not this one");
    }
    result->half = (int16_t)(args->number * 5);
    return args->number != 9;
}
