// SPDX-License-Identifier: MIT
// Persistent memory in a file.
#ifndef WHIT_LINUX_PERSISTENT_H
#define WHIT_LINUX_PERSISTENT_H

#include <stdbool.h>

// Reads the file if there is one and keeps other servers away from it. False: has said why on stderr.
bool persistent_open(const char *path);

// True if the user that the process has become may write there. False: has said the way out on stderr.
bool persistent_can_stay(void);

#endif
