// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="keep"/>
     <properties persistence="persistent"/>
     <args><arg name="len" type="uint16"/></args>
   </generator> */
#include <whit/app.h>

static char keep(struct args_t *args)
{
    for (uint16_t i = 0; i < args->len; i++)
        out_c('k');
    return args->len != 1;
}
