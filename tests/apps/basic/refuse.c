// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="refuse"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Writes, and then fails.
#include "whit/app.h"

static char refuse(struct args_t *args)
{
    (void)args;
    out_str("nobody reads this");
    return 0;
}
