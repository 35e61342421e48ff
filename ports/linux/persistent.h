// SPDX-License-Identifier: MIT
// Persistent memory in a file.
#ifndef WHIT_LINUX_PERSISTENT_H
#define WHIT_LINUX_PERSISTENT_H

#include <stdbool.h>

// Reads the file if it exists and locks out other servers. False: the reason is on stderr.
bool persistent_open(const char *path);

// True if the user that the process has become may write there. False: the way out is on stderr.
bool persistent_can_stay(void);

#endif
