// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="is_level" doGet="say_lines" doPostIn="take_lines" doPostOut="say_cnt"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args>
       <arg name="unit" type="enum" values="seconds minutes hours" default="minutes"/>
       <arg name="least" type="int16" default="-1"/>
     </args>
     <content-types>
       <content-type type="text/plain"/>
       <content-type type="text/csv"/>
     </content-types>
   </generator> */
#include <whit/app.h>

struct state_t {
    uint8_t line_cnt;
};

static char is_level(struct args_t *args)
{
    return args->least < 100;
}

static char say_lines(struct whit_pt *pt, struct args_t *args)
{
    PT_BEGIN(pt);
    PT_OUT_STR(pt, "at least ");
    PT_OUT_INT(pt, args->least);
    PT_END(pt);
}

static char take_lines(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    int16_t octet;
    (void)part;
    PT_BEGIN(pt);
    for (;;) {
        PT_IN(pt, octet);
        if (octet < 0)
            break;
        state->line_cnt = (uint8_t)(state->line_cnt + (octet == '\n'));
    }
    PT_END(pt);
}

static char say_cnt(uint8_t content_type, struct state_t *state)
{
    out_str(content_type == 0 ? "lines " : "rows ");
    out_uint(state->line_cnt);
    return 1;
}
