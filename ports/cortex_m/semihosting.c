// SPDX-License-Identifier: MIT
#include "semihosting.h"

#include <string.h>

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_SEEK = 0x0a,
    SYS_EXIT_EXTENDED = 0x20
};
#define APPLICATION_EXIT 0x20026u

// `words` are the operation's arguments.
static int32_t call(uint32_t operation, const uint32_t *words)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const uint32_t *r1 __asm__("r1") = words;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}

static uint32_t word(const void *address)
{
    return (uint32_t)(uintptr_t)address;
}

int32_t semihosting_open(const char *name, enum semihosting_mode mode)
{
    return call(SYS_OPEN, (const uint32_t[]){word(name), mode, (uint32_t)strlen(name)});
}

// Both return how many octets are left over.
bool semihosting_read(int32_t file, void *to, uint32_t len)
{
    return call(SYS_READ, (const uint32_t[]){(uint32_t)file, word(to), len}) == 0;
}

bool semihosting_write(int32_t file, uint32_t at, const void *from, uint32_t len)
{
    return call(SYS_SEEK, (const uint32_t[]){(uint32_t)file, at}) == 0 &&
           call(SYS_WRITE, (const uint32_t[]){(uint32_t)file, word(from), len}) == 0;
}

void semihosting_close(int32_t file)
{
    call(SYS_CLOSE, (const uint32_t[]){(uint32_t)file});
}

_Noreturn void semihosting_exit(void)
{
    for (;;)
        call(SYS_EXIT_EXTENDED, (const uint32_t[]){APPLICATION_EXIT, 1});
}
