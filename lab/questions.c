// SPDX-License-Identifier: MIT
// Writes each function that is entered with its first two arguments, from the first call of measured_get() on. It is
// linked with programs for x86-64 that are compiled with -pg -mfentry. There each function calls __fentry__() before
// its first instruction, when its arguments are still in their registers.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define UNTRACED __attribute__((no_instrument_function))

void measured_get(const uint8_t *frame, uint16_t len);
void entered(uintptr_t at, uintptr_t first, uintptr_t second);
void __fentry__(void);

// at: within the function's first instructions.
UNTRACED __attribute__((used)) void entered(uintptr_t at, uintptr_t first, uintptr_t second)
{
    static bool begun;
    begun = begun || at - (uintptr_t)measured_get < 16;
    if (begun)
        printf("%jx %jx %jx\n", (uintmax_t)at, (uintmax_t)first, (uintmax_t)second);
}

UNTRACED __attribute__((naked)) void __fentry__(void)
{
    __asm__("push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n sub $8, %rsp\n"
            "mov %rsi, %rdx\n mov %rdi, %rsi\n mov 64(%rsp), %rdi\n call entered\n"
            "add $8, %rsp\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n ret");
}
