// SPDX-License-Identifier: MIT
// From reset to serve(). Interrupts stay disabled: a pending one ends a sleep (RISC-V Privileged Architecture, 3.3.3)
// and no handler ever runs.
#include <stdint.h>

#include "board.h"
#include "serve.h"

extern uint32_t data_start, data_end, data_load, bss_start, bss_end;

__attribute__((used, aligned(4))) _Noreturn static void trap(void)
{
    board_end("trap");
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
__attribute__((naked, section(".reset"))) void reset(void)
{
    __asm__(".option arch, +zicsr\n"
            "la t0, trap\n"
            "csrw mtvec, t0\n"
            "la t0, whit_stack_bottom\n"
            "la sp, whit_stack_top\n"
            "li t1, 0xc5c5c5c5\n"
            "1: sw t1, 0(t0)\n"
            "addi t0, t0, 4\n"
            "bltu t0, sp, 1b\n"
            "j start\n");
}
