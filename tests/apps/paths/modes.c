// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="show"/>
     <args><arg name="mode" type="enum" values="slow fast" default="fast" source="path"/></args>
   </generator> */
#include <whit/app.h>

static char show(struct args_t *args)
{
    out_uint(args->mode);
    return 1;
}
