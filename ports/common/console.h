// SPDX-License-Identifier: MIT
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdbool.h>

// Writes what the console takes now of the request log. True: some of it is left.
bool log_step(void);

// Port: gives the console an octet. False: it cannot take one now.
bool board_put(char octet);

#endif
