// SPDX-License-Identifier: MIT
// The log: samples have numbers 0, 1, ...; it holds the samples [sampler_first, sampler_next). A timer adds one every
// SAMPLE_PERIOD_MS until the log is full; then it waits until the log is emptied. A sample in the log never changes.
#ifndef SAMPLER_H
#define SAMPLER_H

#include <whit/app.h>

#define SAMPLE_CNT 1024
#define SAMPLE_PERIOD_MS 500

extern uint32_t sampler_first, sampler_next;

// Fills half of the log, as if the device had been running for a while, and starts the timer. False: no timer left.
bool sampler_start(void);

// The sample of this number, in tenths of a degree Celsius: 100..355. It must be in the log.
uint16_t sampler_at(uint32_t number);

// Takes the samples below `end` out of the log.
void sampler_flush(uint32_t end);

// Limits [since, until) to the samples in the log. `until` 0: its end.
void sampler_clip(uint32_t *since, uint32_t *until);

// A sample as text is a line of LINE_LEN octets: "21.5\n". Its octet at `place`.
#define LINE_LEN 5
static inline char sampler_octet(uint32_t number, uint8_t place)
{
    uint16_t tenths = sampler_at(number);

    return (char)(place == 0   ? '0' + tenths / 100
                  : place == 1 ? '0' + tenths / 10 % 10
                  : place == 2 ? '.'
                  : place == 3 ? '0' + tenths % 10
                               : '\n');
}

#endif
