// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Waits three times before each 100 octets, as a slow medium does.
#include "whit/app.h"

struct state_t {
    uint32_t len, sum;
    int16_t octet;
    uint8_t waits;
};

static bool is_ready(struct state_t *state)
{
    if (++state->waits < 4)
        return false;
    state->waits = 0;
    return true;
}

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    (void)part;
    PT_BEGIN(pt);
    for (;;) {
        if (state->len % 100 == 0)
            PT_WAIT_UNTIL(pt, is_ready(state));
        PT_IN(pt, state->octet);
        if (state->octet < 0)
            break;
        state->len++;
        state->sum = state->sum * 31 + (uint8_t)state->octet;
    }
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    out_uint(state->len);
    out_c(' ');
    out_uint(state->sum);
    return 1;
}
