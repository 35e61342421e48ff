// SPDX-License-Identifier: MIT
// From reset to the engine's loop (ARMv7-M Architecture Reference Manual, B1.5.3: the vector table).
#include <stdint.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, stack_top;

void systick(void);

static const struct whit_network network = {
    .mac = {0x02, 0x57, 10, 7, 0, 2}, .address = {10, 7, 0, 2}, .gateway = {10, 7, 0, 1}, .prefix_len = 24,
};

static void fault(void)
{
    for (;;) {
    }
}

void reset(void);
void reset(void)
{
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;

    if (!whit_driver_init())
        fault();
    whit_init(&network, whit_port_now_ms());
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        whit_driver_wait(whit_next_ms(now_ms));
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    &stack_top, (const void *)reset, (const void *)fault, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, 0, 0, 0, 0, (const void *)fault,
    (const void *)fault, 0, (const void *)fault, (const void *)systick,
};
