// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write_lines"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args>
       <arg name="cnt" type="uint8"/>
       <arg name="text" type="str" size="9" optional="true"/>
       <arg name="off" type="int16" optional="true"/>
       <arg name="flag" type="bool" optional="true"/>
     </args>
   </generator> */
// Writes `cnt` numbered lines, more than the shared buffer holds.
#include "whit/app.h"

static char write_lines(struct args_t *args)
{
    for (uint16_t i = 0; i < args->cnt; i++) {
        out_int((int32_t)args->off + i);
        out_c(args->flag ? '!' : ' ');
        out_str(args->text);
        out_str(" line of a response that runs again\n");
    }
    return 1;
}
