// SPDX-License-Identifier: MIT
// No resource of its own, only a file that is compiled and linked with the others. A sample takes one octet, in tenths
// of a degree above 10.0.
#include "sampler.h"

uint32_t sampler_first, sampler_next;
static uint8_t samples[SAMPLE_CNT];

// Stands for a sensor: days of 512 samples, and some noise.
static uint8_t measure(void)
{
    static uint16_t noise = 1;
    int16_t hour = (int16_t)(sampler_next & 255);
    int16_t swing = (int16_t)(hour * (255 - hour) / 256);    // a parabola, 0..63

    noise = (uint16_t)(noise * 25173u + 13849u);
    return (uint8_t)(110 + ((sampler_next & 256) ? -swing : swing) + (noise >> 12));
}

// The timer's callback. Like a handler it runs to its end while nothing else does: it needs no lock, and should be
// short.
static void take_sample(void)
{
    if (sampler_next - sampler_first < SAMPLE_CNT) {
        samples[sampler_next % SAMPLE_CNT] = measure();
        sampler_next++;
    }
}

bool sampler_start(void)
{
    while (sampler_next < SAMPLE_CNT / 2)
        take_sample();
    return set_timer(take_sample, SAMPLE_PERIOD_MS);
}

uint16_t sampler_at(uint32_t number)
{
    return (uint16_t)(100 + samples[number % SAMPLE_CNT]);
}

void sampler_flush(uint32_t end)
{
    sampler_first = end;
}

void sampler_clip(uint32_t *since, uint32_t *until)
{
    if (*until == 0 || *until > sampler_next)
        *until = sampler_next;
    if (*since < sampler_first)
        *since = sampler_first;
    if (*since > *until)
        *since = *until;
}
