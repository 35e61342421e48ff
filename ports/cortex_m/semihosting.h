// SPDX-License-Identifier: MIT
// Services of a debugger, here the emulator, for the processor: files and randomness of its host (Semihosting for
// AArch32 and AArch64). The breakpoint instruction that requests them is a fault without a debugger.
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdbool.h>
#include <stdint.h>

enum semihosting_mode { SEMIHOSTING_READ = 1 /* "rb" */, SEMIHOSTING_UPDATE = 3 /* "r+b" */ };

int32_t semihosting_open(const char *name, enum semihosting_mode mode);    // negative: it cannot be opened
bool semihosting_read(int32_t file, void *to, uint32_t len);
bool semihosting_write(int32_t file, uint32_t at, const void *from, uint32_t len);
void semihosting_close(int32_t file);
_Noreturn void semihosting_exit(void);    // as a program that failed

#endif
