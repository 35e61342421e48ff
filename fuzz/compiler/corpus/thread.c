/* <generator>
     <handlers initGet="ready" doGet="say" doPostIn="take" doPostOut="answer"/>
     <properties persistence="idempotent" interaction="rest"/>
     <args>
       <arg name="mode" type="enum" values="on off auto" default="off"/>
       <arg name="level" type="int8" default="-5"/>
     </args>
     <content-types><content-type type="image/png"/></content-types>
   </generator> */
#include <whit/app.h>

struct state_t {
    uint8_t i;
    uint32_t sum;
};

static char ready(struct args_t *args)
{
    return args->level < 100;
}

static char say(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    const char *const text = args->mode ? "off" : "on";
    PT_BEGIN(pt);
    for (state->i = 0; state->i < 9; state->i++) {
        if (state->i > 3)
            PT_OUT_STR(pt, text);
        else
            PT_OUT_C(pt, ',');
    }
    PT_END(pt);
}

static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    int16_t octet;
    PT_BEGIN(pt);
    for (;;) {
        PT_IN(pt, octet);
        if (octet < 0)
            break;
        state->sum += (uint16_t)octet;
    }
    PT_END(pt);
}

static char answer(uint8_t content_type, struct state_t *state)
{
    uint8_t i = 0;
    do {
        out_uint(state->sum);
    } while (i++ < content_type);
    return 1;
}
