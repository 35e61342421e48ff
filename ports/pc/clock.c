// SPDX-License-Identifier: MIT
// Time is the processor's time stamp counter, which is held against the timer's crystal once. A processor whose counter
// follows its frequency is driven at one frequency only, since nothing here changes it.
#include "clock.h"

#include "io.h"
#include "machine.h"
#include "whit/port.h"

#define MEASURED_MS 20
#define GATE 1u
#define SPEAKER 2u
#define OUTPUT 0x20u
#define READS_MAX 4000000u    // reads of a port, some hundred nanoseconds each

static uint64_t start;
static uint32_t steps_per_ms;
static uint64_t counted;    // counter value up to which milliseconds were counted since start
static uint32_t counted_ms;
static uint64_t due;    // counter value of the next millisecond

// Channel 2 counts once while its gate is open.
bool clock_open(uint64_t at_start)
{
    const uint16_t count = MEASURED_MS * PIT_HZ / 1000;
    if ((cpuid(1).d & CPUID_TSC) == 0)
        return false;
    start = at_start;
    uint8_t control = (uint8_t)(in_8(KEYBOARD_B) & ~(GATE | SPEAKER));
    out_8(KEYBOARD_B, control);
    out_8(PIT + 3, 0xb0);
    out_8(PIT + 2, (uint8_t)count);
    out_8(PIT + 2, (uint8_t)(count >> 8));
    uint64_t begin = time_stamp();
    out_8(KEYBOARD_B, control | GATE);
    uint32_t reads = 0;
    while ((in_8(KEYBOARD_B) & OUTPUT) == 0 && reads < READS_MAX)
        reads++;
    steps_per_ms = (uint32_t)((time_stamp() - begin) / MEASURED_MS);
    return reads < READS_MAX && steps_per_ms > 1000;
}

// Advances the clock. It divides by 32 bits if the steps since the last call fit, as they nearly always do.
static __attribute__((noinline)) void count_on(uint64_t now)
{
    uint64_t passed = now - start - counted;
    uint32_t ms = passed >> 32 == 0 ? (uint32_t)passed / steps_per_ms : (uint32_t)(passed / steps_per_ms);
    counted_ms += ms;
    counted += (uint64_t)ms * steps_per_ms;
    due = start + counted + steps_per_ms;
}

uint32_t clock_since_start_ms(void)
{
    uint64_t now = time_stamp();
    if (now >= due)
        count_on(now);
    return counted_ms;
}

uint32_t whit_port_now_ms(void)
{
    return clock_since_start_ms();
}

uint32_t whit_port_now_us(void)
{
    uint64_t steps = time_stamp() - start;
    return (uint32_t)(steps / steps_per_ms * 1000 + steps % steps_per_ms * 1000 / steps_per_ms);
}
