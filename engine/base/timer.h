// SPDX-License-Identifier: MIT
// Timers of the application (timer.c).
#ifndef WHIT_BASE_TIMER_H
#define WHIT_BASE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

void timer_init(void);
void timer_due(void);       // calls those whose time has come
uint16_t timer_next(void);  // ticks until the next is due

#endif
