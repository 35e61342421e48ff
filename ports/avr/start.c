// SPDX-License-Identifier: MIT
// The image's beginning and its loop.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "console.h"
#include "port.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define PAINT 0xc5
#define PAINTED_LEN 1024    // octets at the top of RAM

// From here to the top the RAM is painted, so that its highest use can be read from outside; whit_stack_top is after
// the last octet.
#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
__asm__(
    ".global whit_stack_bottom, whit_stack_top\n"
    ".set whit_stack_bottom, " TEXT(RAMEND) " + 1 - " TEXT(PAINTED_LEN) "\n"
                                                                        ".set whit_stack_top, " TEXT(RAMEND) " + 1\n");
extern uint8_t whit_stack_bottom[];

static const struct whit_network network = {
    .mac = {WHIT_BOARD_MAC},
    .address = {WHIT_BOARD_ADDRESS},
    .gateway = {WHIT_BOARD_GATEWAY},
    .prefix_len = WHIT_BOARD_PREFIX,
};

// Part of the start-up code, before anything uses the stack. After a reset by the watchdog, the watchdog still runs: it
// is stopped here.
__attribute__((naked, used, section(".init3"))) static void paint(void)
{
    for (uint8_t *at = whit_stack_bottom; at <= (uint8_t *)RAMEND; at++)
        *at = PAINT;
    MCUSR = 0;
    wdt_disable();
}

int main(void)
{
    clock_init();
    persistent_init();
    if (WHIT_HAS_LOG)
        console_init();
    sei();
    if (!whit_driver_init())
        for (;;) {
        }
    whit_init(&network, whit_port_now_ms());
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        if (whit_driver_ready())    // an acknowledgment that is on its way in comes before the timer that waits for it
            whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        bool busy = persistent_step();
        if (WHIT_HAS_LOG && log_step())
            busy = true;
        whit_driver_wait(busy ? 1 : whit_next_ms(now_ms));
    }
}
