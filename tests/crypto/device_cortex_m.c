// SPDX-License-Identifier: MIT
// An emulated Cortex-M3 prints by semihosting, in hexadecimal (memory map: ports/cortex_m/mps2_an385.ld). On a second
// line, it prints the octets of stack that were used.
#include <stdint.h>

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, whit_stack_top, whit_stack_bottom;
int main(void);
void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

enum { SYS_WRITEC = 0x03, SYS_EXIT = 0x18 };
#define APPLICATION_EXIT 0x20026u

static void ask(uint32_t operation, uintptr_t argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void start_telling(void)
{
}

void tell(uint8_t octet)
{
    for (int shift = 4; shift >= 0; shift -= 4) {
        char digit = "0123456789abcdef"[octet >> shift & 15];
        ask(SYS_WRITEC, (uintptr_t)&digit);
    }
}

#define PAINT UINT32_C(0xc5c5c5c5)

_Noreturn void finish(void)
{
    const uint32_t *untouched = &whit_stack_bottom;
    while (*untouched == PAINT)
        untouched++;
    uint32_t used = (uint32_t)((uintptr_t)&whit_stack_top - (uintptr_t)untouched);
    ask(SYS_WRITEC, (uintptr_t)"\n");
    tell((uint8_t)(used >> 8));
    tell((uint8_t)used);
    for (;;)
        ask(SYS_EXIT, APPLICATION_EXIT);
}

_Noreturn static void reset(void)
{
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;
    for (uint32_t *to = &whit_stack_bottom; to < (uint32_t *)__builtin_frame_address(0) - 16; to++)
        *to = PAINT;
    (void)main();
    finish();
}

__attribute__((section(".vectors"), used)) static const void *const vector_table[16] = {
    &whit_stack_top,      (const void *)reset,  (const void *)finish, (const void *)finish,
    (const void *)finish, (const void *)finish, (const void *)finish,
};
