// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties content-type="text/plain"/>
   </generator> */
// Tells how many octets came, and their Adler-32 (RFC 1950).
#include <whit/app.h>

#define ADLER 65521

struct state_t {
    uint32_t cnt, low, high;
};

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    int16_t octet;

    (void)part;
    PT_BEGIN(pt);
    state->low = 1;
    for (;;) {
        PT_IN(pt, octet);
        if (octet < 0)
            break;
        state->low = (state->low + (uint8_t)octet) % ADLER;
        state->high = (state->high + state->low) % ADLER;
        state->cnt++;
    }
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    out_uint(state->cnt);
    out_c(' ');
    out_uint(state->high << 16 | state->low);
    return 1;
}
