// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="fix_span" doGet="say_samples"/>
     <properties persistence="volatile"/>
     <args>
       <arg name="since" type="uint32" optional="true"/>
       <arg name="until" type="uint32" optional="true"/>
     </args>
   </generator> */
// What samples.c says, written by an expert (algorithm 2 of the paper): each line has five octets, so where an octet
// stands tells what it is. The engine asks for the octets that it wants, in any order and as often as it likes, and
// remembers nothing at all.
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
        return 0;    // flushed meanwhile
    for (; length > 0 && index < end; length--, index++)
        out_c(sampler_octet(args->since + index / LINE_LEN, (uint8_t)(index % LINE_LEN)));
    return 1;
}
