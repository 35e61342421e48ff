// SPDX-License-Identifier: MIT
// Serves the application @NAME@ over Ethernet, as @ADDRESS@, once two tabs are yours: template.c is the driver of a network chip,
// machine.cpp the board. Until then it compiles, and serves nothing.
#include <Whit.h>

static const struct whit_network network = {
    { WHIT_BOARD_MAC }, { WHIT_BOARD_ADDRESS }, { WHIT_BOARD_GATEWAY }, WHIT_BOARD_PREFIX,
};

void setup()
{
    whit_driver_init();
    whit_init(&network, millis());
}

// What else the sketch does goes in here too. It must not take long: nobody reads the chip meanwhile.
void loop()
{
    uint32_t now_ms = millis();
    whit_driver_poll(now_ms);
    whit_tick(now_ms);
    while (whit_output(now_ms)) {
    }
}
