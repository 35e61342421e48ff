// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="admit" doGet="say"/>
     <properties persistence="volatile"/>
     <args>
       <arg name="len" type="uint16"/>
       <arg name="admitted" type="bool" optional="true" default="1"/>
       <arg name="name" type="str" size="8" optional="true"/>
     </args>
   </generator> */
#include <whit/app.h>

static uint8_t runs;

static char admit(struct args_t *args)
{
    return args->admitted;
}

static char say(struct args_t *args)
{
    runs++;
    for (uint16_t i = 0; i < args->len; i++)
        out_c((char)('a' + runs % 26));
    return 1;
}
