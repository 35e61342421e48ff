// SPDX-License-Identifier: MIT
#include "serve.h"

#include "board.h"
#include "flash.h"
#include "console.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static const struct whit_network network = {
    .mac = {WHIT_BOARD_MAC},
    .address = {WHIT_BOARD_ADDRESS},
    .gateway = {WHIT_BOARD_GATEWAY},
    .prefix_len = WHIT_BOARD_PREFIX,
};

// Until something is due: a timer, or an octet of the request log.
static uint32_t idle_ms(void)
{
    uint32_t next_ms = whit_next_ms(whit_port_now_ms());
    return WHIT_HAS_LOG && log_step() && next_ms > 1 ? 1 : next_ms;
}

_Noreturn void serve(void)
{
    if (WHIT_PERSISTENT_SIZE > 0) {
        if (!flash_open())
            board_end("no flash for persistent memory");
        flash_log_open();
    }
    if (!whit_driver_init())
        board_end("no network device");
    whit_init(&network, whit_port_now_ms());
    board_say("ready\n");
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        whit_driver_wait(idle_ms());
    }
}
