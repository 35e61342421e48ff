// SPDX-License-Identifier: MIT
// Serves the application @NAME@ over SLIP on the first serial port of an ATmega, as @ADDRESS@ with @BAUD@ baud. On Linux:
//   slattach -L -p slip -s @BAUD@ /dev/ttyUSB0 &
//   ip address add 10.7.0.1 peer @ADDRESS@ dev sl0 && ip link set sl0 up mtu 1500
//   curl http://@ADDRESS@/
// The other tabs are the machine (atmega.cpp, entropy.c, persistent.c, eeprom.c) and the link; for a board with another processor
// or with Ethernet, export with --link ethernet.
#include <Whit.h>

extern "C" {
#include "port.h"
}

static const struct whit_network network = {
    { WHIT_BOARD_MAC }, { WHIT_BOARD_ADDRESS }, { WHIT_BOARD_GATEWAY }, WHIT_BOARD_PREFIX,
};

void setup()
{
    persistent_init();
    whit_driver_init();
    whit_init(&network, millis());
}

// What else the sketch does goes in here too. It must not take long: nobody reads the line meanwhile.
void loop()
{
    uint32_t now_ms = millis();
    whit_driver_poll(now_ms);
    whit_tick(now_ms);
    while (whit_output(now_ms)) {
    }
    persistent_step();
}
