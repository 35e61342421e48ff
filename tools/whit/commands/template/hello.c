// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say_hello"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args><arg name="name" type="str" size="64" optional="true"/></args>
   </generator> */
// Served as /hello and /hello?name=Ada. persistence tells what happens when a part of the answer is lost on its way:
// "volatile" may run again, with another answer; "idempotent" may run again, with the same answer; "persistent" has
// effects, so that it runs once and its answer is kept.
#include "whit/app.h"

static const char begin[] WHIT_FLASH = "{\"greeting\":\"Hello ";
static const char stranger[] WHIT_FLASH = "stranger";
static const char uptime[] WHIT_FLASH = "\",\"uptime_s\":";

static char say_hello(struct args_t *args)
{
    out_flash(begin);
    if (args->name[0] == '\0')
        out_flash(stranger);
    for (const char *letter = args->name; *letter != '\0'; letter++)
        out_c((uint8_t)*letter < ' ' || *letter == '"' || *letter == '\\' ? '?' : *letter);    // for JSON
    out_flash(uptime);
    out_uint(whit_port_now_ms() / 1000);
    out_c('}');
    return 1;
}
