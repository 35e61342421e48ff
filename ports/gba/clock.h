// SPDX-License-Identifier: MIT
#ifndef WHIT_GBA_CLOCK_H
#define WHIT_GBA_CLOCK_H

#include <stdint.h>

void clock_start(void);
uint16_t clock_cycles(void);    // since the millisecond began, 0..16776

#endif
