// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent"/>
   </generator> */
// S3 whose text becomes a shorter one while it is being written: when the gate is open.
#include <whit/app.h>

extern bool gate;

static char write(struct whit_pt *pt, struct args_t *args)
{
    static char text[3001];
    (void)args;
    for (uint16_t i = 0; i < 3000; i++)
        text[i] = gate && i >= 2 ? 'x' : 'a';
    if (gate)
        text[2] = 0;
    PT_BEGIN(pt);
    PT_OUT_STR(pt, text);
    PT_OUT_MEM(pt, text, gate ? 2 : 3000);
    PT_END(pt);
}
