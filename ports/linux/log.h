// SPDX-License-Identifier: MIT
#ifndef WHIT_LINUX_LOG_H
#define WHIT_LINUX_LOG_H

#include <stdbool.h>

// From now on the request log goes to standard error.
void log_open(void);

#endif
