// SPDX-License-Identifier: MIT
// The example of docs/application.md.
/* <generator>
     <handlers doPostIn="take" doPostOut="answer"/>
     <content-types><content-type type="image/png"/></content-types>
   </generator> */
#include <whit/app.h>
#include <whit_stored.h>

struct state_t {
    uint16_t ticket;
    int16_t byte;
    uint8_t len;
    uint8_t bytes[64];
};

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    (void)part;
    PT_BEGIN(pt);
    state->ticket = stored_begin(STORED_PHOTO_PNG);
    do {
        PT_IN(pt, state->byte);
        if (state->byte >= 0)
            state->bytes[state->len++] = (uint8_t)state->byte;
        if (state->byte < 0 || state->len == sizeof state->bytes) {
            if (!stored_add(state->ticket, state->bytes, state->len))
                return 0;
            state->len = 0;
        }
    } while (state->byte >= 0);
    PT_END(pt);
}

static char answer(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    return stored_end(state->ticket);
}
