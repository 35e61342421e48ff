// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="tick"/>
     <properties persistence="volatile"/>
     <result><value name="ticks" type="uint16"/></result>
   </generator> */
#include <whit/app.h>

static char tick(struct result_t *result)
{
    static uint16_t ticks;

    result->ticks = ++ticks;
    return 1;
}
