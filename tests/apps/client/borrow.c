// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="borrow"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// One connection is kept for all requests. Each waits in the queue until the connection is free, and then for ever.
#include <whit/app.h>
#include <whit/client.h>

static whit_client borrow_kept;
static uint8_t borrow_cnt;

static char borrow_taken(void)
{
    if (borrow_kept == 0) {
        borrow_kept = client_open(167772170, 7000, 5000);
        client_keep(borrow_kept);
    }
    if (client_lent(borrow_kept)) {
        client_queue();
        return 0;
    }
    return client_lend(borrow_kept);
}

static char borrow(struct whit_pt *pt, struct args_t *args)
{
    (void)args;
    PT_BEGIN(pt);
    PT_WAIT_UNTIL(pt, borrow_taken());
    borrow_cnt++;
    PT_OUT_UINT(pt, borrow_cnt);
    PT_WAIT_UNTIL(pt, client_state(borrow_kept) > CLIENT_OPEN);
    PT_END(pt);
}
