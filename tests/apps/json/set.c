// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPost="take"/>
     <args>
       <arg name="octet" type="uint8"/>
       <arg name="low" type="int32" default="-7"/>
       <arg name="on" type="bool" optional="true"/>
       <arg name="mode" type="enum" values="slow fast" default="fast"/>
       <arg name="text" type="str" size="16" optional="true"/>
     </args>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
// Says its arguments.
#include <whit/app.h>

static char take(struct args_t *args)
{
    out_uint(args->octet);
    out_c(' ');
    out_int(args->low);
    out_str(args->on ? " on " : " off ");
    out_uint(args->mode);
    out_str(" [");
    out_str(args->text);
    out_str("]");
    return 1;
}
