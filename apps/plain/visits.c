// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="count_visit"/>
     <properties persistence="persistent"/>
   </generator> */
// Counts visits, over restarts too. It must run once a request: a lost segment must not count as a visitor. So it is
// persistent, and what it says is kept until the client has acknowledged it.
#include <whit/app.h>

static char count_visit(struct args_t *args)
{
    uint32_t visit_cnt;

    (void)args;
    if (!persistent_read(0, &visit_cnt, sizeof visit_cnt))
        return 0;
    visit_cnt++;
    if (!persistent_write(0, &visit_cnt, sizeof visit_cnt))
        return 0;
    out_uint(visit_cnt);
    return 1;
}
