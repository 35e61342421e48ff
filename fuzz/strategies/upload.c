// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <content-types>
       <content-type type="application/octet-stream"/>
       <content-type type="text/plain"/>
     </content-types>
   </generator> */
// Parts of any size: octets that follow from their index, and then '$'. Says 'u' instead of 'U' when it was not so.
// File names: f... is refused, s... is left after five octets.
#include "said.h"

struct state_t {
    uint16_t i, parts;
    int16_t octet;
    bool ended, bad;
};

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    PT_BEGIN(pt);
    if (part->filename[0] == 'f')
        return 0;
    state->bad |= part->number != (uint8_t)state->parts;
    state->ended = false;
    for (state->i = 0;; state->i++) {
        PT_IN(pt, state->octet);
        if (state->octet < 0 || (part->filename[0] == 's' && state->i == 5))
            break;
        state->bad |= state->ended || (state->octet != '$' && state->octet != sent_at(state->i));
        state->ended = state->octet == '$';
    }
    state->bad |= !state->ended && part->filename[0] != 's';
    state->parts++;
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    uint32_t run = next_run();

    (void)content_type;
    say(state->bad ? 'u' : 'U', run, state->parts, '.');
    return run != 0;
}
