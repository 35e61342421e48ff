// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="echo" doPost="echo"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args><arg name="value" type="int32"/></args>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
// Gives the number back: {"value":42}.
#include <whit/app.h>

static const char begin_value[] WHIT_FLASH = "{\"value\":";

static char echo(struct args_t *args)
{
    out_flash(begin_value);
    out_int(args->value);
    out_c('}');
    return 1;
}
