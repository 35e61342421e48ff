// SPDX-License-Identifier: MIT
// Functions that a program of this directory needs of ports/avr/start.c. No timer runs, so that no interrupt disturbs
// the measurement.
#include <avr/io.h>

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
__asm__(".global whit_stack_bottom, whit_stack_top\n"
        ".set whit_stack_bottom, " TEXT(RAMEND) " + 1 - 1024\n"
                                                ".set whit_stack_top, " TEXT(RAMEND) " + 1\n");

void clock_start(void);
void clock_start(void)
{
}
