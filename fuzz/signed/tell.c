// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="tell"/>
     <service name="device" as="soap" security="digest"/>
     <args><arg name="level" type="uint8"/></args>
     <result><value name="level" type="uint8"/></result>
   </generator> */
#include <whit/app.h>

static char tell(struct args_t *args, struct result_t *result)
{
    uint32_t runs = 0;

    persistent_read(0, &runs, sizeof runs);
    runs++;
    result->level = args->level;
    return persistent_write(0, &runs, sizeof runs);
}
