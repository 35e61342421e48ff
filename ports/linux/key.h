// SPDX-License-Identifier: MIT
// The key of HTTPS, from a file that only its owner should read: `./whit run` gives a pipe.
#ifndef WHIT_LINUX_KEY_H
#define WHIT_LINUX_KEY_H

#include <stdbool.h>

// False: the reason is on stderr.
bool key_open(const char *path);

#endif
