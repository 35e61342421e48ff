// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <content-types>
       <content-type type="application/octet-stream"/>
       <content-type type="text/plain"/>
     </content-types>
   </generator> */
// Takes in parts of any size. Says of each its number, type, name, length and a sum; "skip" in a name leaves the rest
// of it, "fail" refuses it.
#include "whit/app.h"

#include <string.h>

struct state_t {
    uint32_t len, sum;
    uint16_t said;
    int16_t octet;
    char text[120];
};

static void put(struct state_t *state, char c)
{
    if (state->said + 1u < sizeof state->text)
        state->text[state->said++] = c;
}

static void put_uint(struct state_t *state, uint32_t number)
{
    char reversed[10];
    uint8_t cnt = 0;
    do {
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        put(state, reversed[--cnt]);
    put(state, ' ');
}

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    PT_BEGIN(pt);
    state->len = state->sum = 0;
    if (strcmp(part->filename, "fail") == 0)
        return 0;
    for (;;) {
        PT_IN(pt, state->octet);
        if (state->octet < 0)
            break;
        state->len++;
        state->sum = state->sum * 31 + (uint8_t)state->octet;
        if (strcmp(part->filename, "skip") == 0)
            break;
    }
    put_uint(state, part->number);
    put_uint(state, part->content_type);
    for (uint8_t i = 0; part->filename[i] != 0; i++)
        put(state, part->filename[i]);
    put(state, ' ');
    put_uint(state, state->len);
    put_uint(state, state->sum);
    put(state, '\n');
    PT_END(pt);
}

static char tell(uint8_t content_type, struct state_t *state)
{
    out_uint(content_type);
    out_c('\n');
    out_mem(state->text, state->said);
    return 1;
}
