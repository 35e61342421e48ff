// SPDX-License-Identifier: MIT
// From reset to serve() (ARMv7-M Architecture Reference Manual, B1.5.3: the vector table). Interrupts stay masked: a
// pending one ends a sleep (B1.5.19) and no handler ever runs.
#include <stdint.h>

#include "board.h"
#include "serve.h"

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, whit_stack_top;

_Noreturn static void fault(void)
{
    board_end("fault");
}

__attribute__((used)) _Noreturn static void start(void)
{
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;
    serve();
}

// Paints the stack, so that its use can be measured.
void reset(void);
__attribute__((naked)) void reset(void)
{
    __asm__("cpsid i\n"
            "ldr r0, =whit_stack_bottom\n"
            "ldr r1, =whit_stack_top\n"
            "ldr r2, =0xc5c5c5c5\n"
            "1: str r2, [r0], #4\n"
            "cmp r0, r1\n"
            "blo 1b\n"
            "b start\n"
            ".ltorg\n");
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    &whit_stack_top,
    (const void *)reset,
    (const void *)fault,
    (const void *)fault,
    (const void *)fault,
    (const void *)fault,
    (const void *)fault,
    0,
    0,
    0,
    0,
    (const void *)fault,
    (const void *)fault,
    0,
    (const void *)fault,
    (const void *)fault,
};
