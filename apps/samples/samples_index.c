// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="fix_span" doGet="say_samples"/>
     <properties persistence="volatile"/>
     <args>
       <arg name="since" type="uint32" optional="true"/>
       <arg name="until" type="uint32" optional="true"/>
     </args>
   </generator> */
// Writes the same as samples.c, with more effort (algorithm 2 of the paper). Each line has five bytes, so the position
// of a byte determines its value. The engine requests bytes in any order and repeatedly, and stores nothing.
#include "sampler.h"

static char fix_span(struct args_t *args)
{
    sampler_clip(&args->since, &args->until);
    return 1;
}

static char say_samples(struct args_t *args, uint32_t index, uint16_t length)
{
    uint32_t end = (args->until - args->since) * LINE_LEN;

    if (args->since < sampler_first)
        return 0;    // flushed since then
    for (; length > 0 && index < end; length--, index++)
        out_c(sampler_octet(args->since + index / LINE_LEN, (uint8_t)(index % LINE_LEN)));
    return 1;
}
