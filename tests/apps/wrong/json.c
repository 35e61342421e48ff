// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell" doPost="tell"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args>
       <arg name="octet" type="uint8"/>
       <arg name="low" type="int16" default="-7"/>
       <arg name="on" type="bool" optional="true"/>
       <arg name="mode" type="enum" values="slow fast very-fast as-fast-as-it-can and-then-some-more-words that-fill-chunks" default="fast"/>
       <arg name="text" type="str" size="6" optional="true"/>
     </args>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
// Writes its arguments in JSON, for any kind of call.
#include <whit/app.h>

static char tell(struct args_t *args)
{
    out_str("{\"octet\":");
    out_uint(args->octet);
    out_str("}");
    return 1;
}
