// SPDX-License-Identifier: MIT
// The engine's loop. Interrupts only wake the processor: no handler ever runs.
#include "clock.h"
#include "save.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static const struct whit_network network = {
    .mac = {WHIT_BOARD_MAC},
    .address = {WHIT_BOARD_ADDRESS},
    .gateway = {WHIT_BOARD_GATEWAY},
    .prefix_len = WHIT_BOARD_PREFIX,
};

int main(void)
{
    clock_start();
    save_open();
    if (!whit_driver_init())
        return 1;
    whit_init(&network, whit_port_now_ms());
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        if (whit_driver_ready())    // an acknowledgment that is on its way in comes before the timer that waits for it
            whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        whit_driver_wait(whit_next_ms(now_ms));
    }
}
