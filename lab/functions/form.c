// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPost="take"/>
     <properties persistence="persistent"/>
     <args><arg name="number" type="uint16"/></args>
   </generator> */
#include "say.h"

static char take(struct args_t *args)
{
    out_uint(args->number + 1u);
    return 1;
}
