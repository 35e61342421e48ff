// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/octet-stream"/>
     <args><arg name="id" type="uint16"/><arg name="len" type="uint16"/></args>
   </generator> */
#include "say.h"

struct state_t {
    uint16_t i;
    uint8_t stamp;
};

static char tell(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    state->stamp = (uint8_t)args->id;
    PT_OUT_C(pt, (char)state->stamp);
    for (state->i = 0; state->i < args->len; state->i++)
        PT_OUT_C(pt, octet_at(state->i, state->stamp));
    PT_END(pt);
}
