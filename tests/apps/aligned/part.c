// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Says whether each octet found the state where the compiler takes it to be, and their sum.
#include "whit/app.h"

struct state_t {
    bool badly;
    int16_t octet;
    uint64_t sum;
};

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    (void)part;
    PT_BEGIN(pt);
    for (;;) {
        PT_IN(pt, state->octet);
        if (state->octet < 0)
            break;
        if ((uintptr_t)state % _Alignof(struct state_t) != 0)
            state->badly = true;
        state->sum += (uint64_t)state->octet;
    }
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    out_c(state->badly || (uintptr_t)state % _Alignof(struct state_t) != 0 ? 'n' : 'y');
    out_uint((uint32_t)state->sum);
    return 1;
}
