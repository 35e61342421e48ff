// SPDX-License-Identifier: MIT
// The clock is three of the console's timers: the first overflows each millisecond, the others count that in 32 bits.
#include "clock.h"

#include "registers.h"
#include "whit/port.h"

#define CYCLES_PER_MS 16777    // 2^24 Hz: 13 ppm too few, less than the error of a crystal
#define RELOAD (uint16_t)(65536 - CYCLES_PER_MS)

void clock_start(void)
{
    TIMER_COUNT(0) = RELOAD;
    TIMER_COUNT(1) = 0;
    TIMER_COUNT(2) = 0;
    TIMER_CONTROL(2) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(1) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(0) = TIMER_ON | TIMER_IRQ;    // this interrupt ends a halt
    IME = 1;
}

uint16_t clock_cycles(void)
{
    return (uint16_t)(TIMER_COUNT(0) - RELOAD);
}

uint32_t whit_port_now_ms(void)
{
    uint16_t high, low;
    do {
        high = TIMER_COUNT(2);
        low = TIMER_COUNT(1);
    } while (high != TIMER_COUNT(2));
    return (uint32_t)high << 16 | low;
}

uint32_t whit_port_now_us(void)
{
    uint32_t ms;
    uint16_t cycles;
    do {
        ms = whit_port_now_ms();
        cycles = clock_cycles();
    } while (ms != whit_port_now_ms());
    return ms * 1000 + (cycles * UINT32_C(3906) >> 16);    // 1000/16777 = 3906.2/65536
}
