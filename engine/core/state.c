// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "limits.h"
#include "state.h"
#include "whit/app.h"
#include "whit/engine.h"

struct whit_engine whit;
bool waiters_try;
whit_count whit_counters[WHIT_COUNTER_CNT];
#ifdef WHIT_METER
struct whit_meter whit_meter;
#endif

void count_one(enum whit_counter counter)
{
    whit_count more = (whit_count)(whit_counters[counter] + 1);
    if (more != 0)
        whit_counters[counter] = more;
}

// -------------------------------------------------------------------------------------------- the application's timers

// The application's timers: each calls a function at a period in ticks. A late call happens once; the next one keeps
// the period.

#define PLACES (WHIT_TIMERS != 0 ? WHIT_TIMERS : 1)

static struct timer {
    void (*callback)(void);    // NULL: free
    uint16_t period, due;      // ticks
} timers[PLACES];

void timer_init(void)
{
    for (uint8_t i = 0; i < PLACES; i++)
        timers[i].callback = NULL;
}

bool set_timer(void (*callback)(void), uint16_t period_ms)
{
    for (uint8_t i = 0; i + 1 <= WHIT_TIMERS; i++) {
        if (timers[i].callback != NULL)
            continue;
        uint16_t period = period_ms < TICK_MS ? 1 : TICKS(period_ms);
        timers[i] = (struct timer){callback, period, (uint16_t)(now_ticks() + period)};
        return true;
    }
    return false;
}

void timer_due(void)
{
    uint16_t now = now_ticks();
    for (uint8_t i = 0; i + 1 <= WHIT_TIMERS; i++) {
        struct timer *timer = &timers[i];
        if (timer->callback == NULL || tick_lt(now, timer->due))
            continue;
        uint16_t late = (uint16_t)(now - timer->due);
        timer->due = (uint16_t)(now + timer->period - late % timer->period);
        timer->callback();
    }
}

uint16_t timer_next(void)
{
    uint16_t now = now_ticks(), next = TICKS_IDLE;
    for (uint8_t i = 0; i + 1 <= WHIT_TIMERS; i++) {
        uint16_t left = tick_lt(now, timers[i].due) ? (uint16_t)(timers[i].due - now) : 0;
        if (timers[i].callback != NULL && left < next)
            next = left;
    }
    return next;
}
