// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="start_sampling" doGet="flush_log"/>
     <properties persistence="persistent"/>
   </generator> */
// Sends the log and empties it: a summary, then a line for each sample. It has side effects, so it runs once for each
// request, also when segments are lost. It writes more than the buffer holds, so it is a protothread. PT_OUT_ leaves
// the function when the buffer is full. The function continues there when acknowledgments have made room.
//
// Local variables do not survive that. They are static here, as in algorithm 1 of the paper. The engine then handles
// one request at a time, so two clients never get the same sample. The log is emptied after the last line. If the
// client disconnects before, the log is kept.
#include "sampler.h"

static uint32_t i, end;
static uint16_t mean;

static const char text_samples[] WHIT_FLASH = " samples, mean ";

static char start_sampling(void)
{
    return sampler_start();
}

// Computes the values of all samples that the summary needs.
static void preprocess(void)
{
    uint32_t sum = 0;

    end = sampler_next;
    for (i = sampler_first; i != end; i++)
        sum += sampler_at(i);
    mean = (uint16_t)(end == sampler_first ? 0 : sum / (end - sampler_first));
}

static char flush_log(struct whit_pt *pt, struct args_t *args)
{
    (void)args;
    PT_BEGIN(pt);
    preprocess();
    PT_OUT_UINT(pt, end - sampler_first);
    PT_OUT_FLASH(pt, text_samples);
    PT_OUT_UINT(pt, mean / 10);
    PT_OUT_C(pt, '.');
    PT_OUT_UINT(pt, mean % 10);
    PT_OUT_C(pt, '\n');
    for (i = sampler_first; i != end; i++) {
        PT_OUT_UINT(pt, sampler_at(i) / 10);
        PT_OUT_C(pt, '.');
        PT_OUT_UINT(pt, sampler_at(i) % 10);
        PT_OUT_C(pt, '\n');
    }
    sampler_flush(end);
    PT_END(pt);
}
