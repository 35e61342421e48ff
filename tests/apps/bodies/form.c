// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say_form" doPost="say"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args>
       <arg name="octet" type="uint8"/>
       <arg name="number" type="int16" optional="true"/>
       <arg name="text" type="str" size="12" optional="true"/>
     </args>
   </generator> */
// Says its arguments, and how often a form came.
#include "whit/app.h"

static uint32_t runs;

static void write(const struct args_t *args)
{
    out_uint(args->octet);
    out_c(' ');
    out_int(args->number);
    out_str(" [");
    out_str(args->text);
    out_str("]");
}

static char say_form(struct args_t *args)
{
    write(args);
    return 1;
}

static char say(struct args_t *args)
{
    runs++;
    out_str("post ");
    write(args);
    out_str(" run ");
    out_uint(runs);
    return args->octet != 99;
}
