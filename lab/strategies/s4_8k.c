// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
     <args><arg name="id" type="uint8"/></args>
   </generator> */
// S4: large output that is to be fresh, by a thread.
#include "content.h"

struct state_t {
    uint16_t at;    // octets written
};

static char tell(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    for (; state->at < LARGE; state->at++)
        PT_OUT_C(pt, octet_at(state->at));
    PT_END(pt);
}
