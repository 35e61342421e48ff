// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent"/>
     <args><arg name="len" type="uint16"/></args>
   </generator> */
// S1.
#include "say.h"

static char write(struct args_t *args)
{
    out_uint(next_run());
    out_c(':');
    for (uint32_t i = 0; i < args->len; i++)
        out_c(octet_at(i));
    return 1;
}
