// SPDX-License-Identifier: MIT
// Lines of the request log on standard error, for programs of a host.
#ifndef WHIT_CONSOLE_H
#define WHIT_CONSOLE_H

#include <stdint.h>

void console_open(void);                              // before it, lines are dropped
void console_line(const char *line, uint16_t len);    // its line feed included; never waits

#endif
