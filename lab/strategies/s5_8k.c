// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/octet-stream"/>
   </generator> */
// S3 or S4: large output of an idempotent generator.
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
