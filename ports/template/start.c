// SPDX-License-Identifier: MIT
// From reset to serve(), for a Cortex-M (ARMv6-M Architecture Reference Manual, B1.5.2 and B1.5.3: the stack pointer is
// set and interrupts are on). You may use a vendor's start-up code instead: call serve() in main(), and paint the stack
// there.
#include <stdint.h>

#include "board.h"
#include "serve.h"

#define PAINT 0xc5c5c5c5

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, whit_stack_bottom, whit_stack_top;

_Noreturn static void fault(void)
{
    board_end("fault");
}

// Paints the stack below its own frame, so that the deepest use can be measured later.
static void paint_stack(void)
{
    uint32_t here;
    for (volatile uint32_t *at = &whit_stack_bottom; (uintptr_t)at < (uintptr_t)&here; at++)
        *at = PAINT;
}

_Noreturn void reset(void);
_Noreturn void reset(void)
{
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;
    paint_stack();
    serve();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    &whit_stack_top,
    (const void *)reset,
    (const void *)fault,
    (const void *)fault,
};
