// SPDX-License-Identifier: MIT
// This header has a directory of its own, because not every library has it.
#ifndef WHIT_LIBC_UNISTD_H
#define WHIT_LIBC_UNISTD_H

#include_next <unistd.h>

#include "../absent.h"

#if WHIT_LIBC_OF_DEVICE
unsigned sleep(unsigned seconds) WHIT_NO_SLEEP;
#endif

#endif
