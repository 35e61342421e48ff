// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="fix_span" doGet="say_samples"/>
     <properties persistence="volatile"/>
     <args>
       <arg name="since" type="uint32" optional="true"/>
       <arg name="until" type="uint32" optional="true"/>
     </args>
   </generator> */
// Sends the log, a line for each sample; or the samples [since, until). It is not buffered. For each segment the engine
// stores the position of the protothread and a copy of its state, a rerun point. If the segment is lost, the
// protothread continues from there again (algorithm 3 of the paper). samples_index.c writes the same in another way.
#include "sampler.h"

// All that must survive a wait. Each rerun point holds a copy: the smaller, the better.
struct state_t {
    uint32_t i;
};

// Runs once for each request, before the first byte is written. It fixes the first and the last sample of the response,
// while the timer takes further samples.
static char fix_span(struct args_t *args)
{
    sampler_clip(&args->since, &args->until);
    return 1;
}

static char say_samples(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    if (args->since < sampler_first)
        return 0;    // flushed since then: these samples cannot be sent again
    PT_BEGIN(pt);
    for (state->i = args->since; state->i != args->until; state->i++) {
        PT_OUT_UINT(pt, sampler_at(state->i) / 10);
        PT_OUT_C(pt, '.');
        PT_OUT_UINT(pt, sampler_at(state->i) % 10);
        PT_OUT_C(pt, '\n');
    }
    PT_END(pt);
}
