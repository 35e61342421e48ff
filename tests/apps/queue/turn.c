// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="take"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// There is one thing, which is taken, or waited for in the queue; give.c gives it back.
#include <whit/app.h>
#include <whit/client.h>

uint8_t turn_things;

static char take_now(void)
{
    if (turn_things == 0)
        client_queue();
    return turn_things != 0;
}

static char take(struct whit_pt *pt, struct args_t *args)
{
    (void)args;
    PT_BEGIN(pt);
    PT_WAIT_UNTIL(pt, take_now());
    out_str("mine");
    turn_things = 0;
    PT_END(pt);
}
