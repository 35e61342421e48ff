// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent"/>
   </generator> */
// S3 with a variable of its own: serves one request at a time.
#include "say.h"

static uint16_t i;

static char write(struct whit_pt *pt, struct args_t *args)
{
    (void)args;
    PT_BEGIN(pt);
    for (i = 0; i < 5000; i++)
        PT_OUT_C(pt, octet_at(i));
    PT_END(pt);
}
