// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// S3 with variables of its own: one request at a time.
#include "said.h"

static uint16_t i;
static uint32_t run;

static char write(struct whit_pt *pt, struct args_t *args)
{
    (void)args;
    PT_BEGIN(pt);
    run = next_run();
    if (run == 0)
        return 0;
    PT_OUT_C(pt, 'O');
    PT_OUT_C(pt, ' ');
    PT_OUT_UINT(pt, run);
    PT_OUT_STR(pt, " 1500 .\n");
    for (i = 0; i < 1500; i++)
        PT_OUT_C(pt, octet_at(i));
    PT_END(pt);
}
