// SPDX-License-Identifier: MIT
#ifndef WHIT_LIBC_STDLIB_H
#define WHIT_LIBC_STDLIB_H

#include_next <stdlib.h>

#include <stddef.h>

#include "absent.h"

#if WHIT_LIBC_OF_DEVICE
void *malloc(size_t len) WHIT_NO_HEAP;
void *calloc(size_t cnt, size_t len) WHIT_NO_HEAP;
void *realloc(void *from, size_t len) WHIT_NO_HEAP;
void free(void *block) WHIT_NO_HEAP;
void exit(int code) WHIT_NO_END;
void abort(void) WHIT_NO_END;
#ifndef __AVR__    // avr-libc declares neither
int system(const char *command) WHIT_NO_SYSTEM;
char *getenv(const char *name) WHIT_NO_SYSTEM;
#endif
#endif

#endif
