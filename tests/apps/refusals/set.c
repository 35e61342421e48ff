// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPost="set"/>
     <args>
       <arg name="level" type="int8"/>
       <arg name="mode" type="enum" values="slow fast"/>
       <arg name="name" type="str" size="8" optional="true"/>
     </args>
   </generator> */
#include <whit/app.h>

static char set(struct args_t *args)
{
    out_int(args->level);
    return args->level != 0;
}
