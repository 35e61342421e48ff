// SPDX-License-Identifier: MIT
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

bool clock_open(uint64_t start);    // the time stamp then. Measures its steps; false: they cannot be counted
uint32_t clock_since_start_ms(void);

#endif
