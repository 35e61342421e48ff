// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent"/>
   </generator> */
// S3: numbers of every length, of which each is whole whatever room there is.
#include <whit/app.h>

struct state_t {
    uint8_t i;
};

static char write(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    static const char between[] WHIT_FLASH = " and ";
    static const int32_t numbers[] = {0, -1, 12, INT32_MAX, INT32_MIN};
    (void)args;
    PT_BEGIN(pt);
    for (state->i = 0; state->i < 200; state->i++) {
        PT_OUT_INT(pt, numbers[state->i % 5]);
        PT_OUT_FLASH(pt, between);
        PT_OUT_UINT(pt, (uint32_t)numbers[state->i % 5]);
        PT_OUT_C(pt, '\n');
    }
    PT_END(pt);
}
