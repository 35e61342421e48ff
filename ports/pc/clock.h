// SPDX-License-Identifier: MIT
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

bool clock_open(void);                 // measures the time stamp; false: its steps cannot be counted
uint32_t clock_steps_per_ms(void);
uint32_t clock_since_start_ms(void);   // since clock_open()

#endif
