// SPDX-License-Identifier: MIT
// Functions shared by the files of this port.
#ifndef PC_H
#define PC_H

#include <stdbool.h>
#include <stdint.h>

void board_open(void);    // serial line and screen; before any output

enum entropy_source { ENTROPY_RDRAND, ENTROPY_JITTER };
enum entropy_source entropy_source(void);

// The disk that holds persistent memory. "": none does, and stored data are lost with the power.
const char *disk_name(void);

#define NUMBER_LEN 11
const char *number_text(char digits[NUMBER_LEN], uint32_t number);    // decimal

void log_show(void);    // lines of the request log on the screen that are not there yet

#endif
