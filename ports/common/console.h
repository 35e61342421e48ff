// SPDX-License-Identifier: MIT
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdbool.h>

// Writes octets of the request log that the console takes now. True: some are left.
bool log_step(void);

// Port: gives the console an octet. False: it cannot take one now.
bool board_put(char octet);

#endif
