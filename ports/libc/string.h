// SPDX-License-Identifier: MIT
#ifndef WHIT_LIBC_STRING_H
#define WHIT_LIBC_STRING_H

#include_next <string.h>

#include "absent.h"

#if WHIT_LIBC_OF_DEVICE
#undef strdup
char *strdup(const char *text) WHIT_NO_HEAP;
#endif

#endif
