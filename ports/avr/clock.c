// SPDX-License-Identifier: MIT
// Timer 1 counts the processor's clock, divided, from 0 to a millisecond, and interrupts there.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "port.h"
#include "whit/port.h"

#define DIVIDER 8
#define TICKS_PER_MS (WHIT_AVR_CLOCK_HZ / DIVIDER / 1000)
_Static_assert(WHIT_AVR_CLOCK_HZ % (DIVIDER * 1000) == 0,
               "avr.clock_hz: expected a multiple of 8000, so that milliseconds are exact");

static volatile uint32_t milliseconds;

ISR(TIMER1_COMPA_vect)
{
    milliseconds++;
}

void clock_init(void)
{
    OCR1A = TICKS_PER_MS - 1;
    TCCR1B = 1 << WGM12 | 1 << CS11;    // CTC, clock / 8
    TIMSK1 = 1 << OCIE1A;
}

uint32_t whit_port_now_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    now = milliseconds;
    return now;
}

uint32_t whit_port_now_us(void)
{
    uint32_t ms;
    uint16_t ticks;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ticks = TCNT1;
        ms = milliseconds;
        if ((TIFR1 & 1 << OCF1A) != 0) {    // it has turned over, and its interrupt waits
            ticks = TCNT1;
            ms++;
        }
    }
    return ms * 1000 + (uint32_t)ticks * 1000 / TICKS_PER_MS;
}
