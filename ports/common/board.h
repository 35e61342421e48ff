// SPDX-License-Identifier: MIT
// Functions of a board that the files of ports/common and the drivers of these boards need.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"    // the port's header: addresses of its devices, BOARD_TICKS_PER_US

uint32_t board_ticks(void);              // a clock that always runs and wraps at 32 bits
void board_interrupt(uint8_t number);    // this one ends board_sleep() from now on
// until an interrupt is pending, which is then forgotten, or `ms` have passed; at most 60 000
void board_sleep(uint32_t ms);
void board_say(const char *text);             // on the console
_Noreturn void board_end(const char *why);    // ends the program, with a message on the console

#endif
