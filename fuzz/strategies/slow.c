// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Waits before each 50 octets, as a slow medium does.
#include "said.h"

struct state_t {
    uint16_t i;
    int16_t octet;
    uint8_t waits;
    bool ended, bad;
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
    state->ended = false;
    for (state->i = 0;; state->i++) {
        if (state->i % 50 == 0)
            PT_WAIT_UNTIL(pt, is_ready(state));
        PT_IN(pt, state->octet);
        if (state->octet < 0)
            break;
        state->bad |= state->ended || (state->octet != '$' && state->octet != sent_at(state->i));
        state->ended = state->octet == '$';
    }
    state->bad |= !state->ended;
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    uint32_t run = next_run();

    (void)content_type;
    say(state->bad ? 'u' : 'U', run, 300, '.');
    return run != 0;
}
