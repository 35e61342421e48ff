// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="idempotent"/>
   </generator> */
#include <whit/app.h>

static char say(struct args_t *args)
{
    (void)args;
    out_str("nobody reads it");
    return 0;
}
