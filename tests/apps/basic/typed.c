// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args>
       <arg name="octet" type="uint8"/>
       <arg name="number" type="int16"/>
       <arg name="text" type="str" size="12"/>
       <arg name="wide" type="uint32" optional="true"/>
       <arg name="tiny" type="int8" optional="true"/>
       <arg name="deep" type="int32" optional="true"/>
       <arg name="half" type="uint16" optional="true"/>
       <arg name="flag" type="bool" optional="true"/>
     </args>
   </generator> */
// Says its arguments.
#include "whit/app.h"

static char say(struct args_t *args)
{
    out_uint(args->octet);
    out_c(' ');
    out_int(args->number);
    out_str(" [");
    out_str(args->text);
    out_str("] ");
    out_uint(args->wide);
    out_c(' ');
    out_int(args->tiny);
    out_c(' ');
    out_int(args->deep);
    out_c(' ');
    out_uint(args->half);
    out_c(' ');
    out_uint(args->flag);
    return 1;
}
