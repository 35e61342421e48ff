// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="begin" doGet="tell"/>
     <properties persistence="volatile"/>
   </generator> */
#include "say.h"

uint8_t epoch;

static void change(void)
{
    epoch++;
}

static char begin(void)
{
    return (char)set_timer(change, 200);
}

static char tell(struct args_t *args)
{
    (void)args;
    out_uint(epoch);
    return 1;
}
