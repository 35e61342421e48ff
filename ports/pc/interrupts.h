// SPDX-License-Identifier: MIT
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdint.h>

// Opens the timer's line, and the one that board_interrupt() sets; they interrupt in sleep only.
void interrupts_open(void);
uint64_t interrupts_asleep(void);    // steps of the time stamp that passed in board_sleep()

#endif
