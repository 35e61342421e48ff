// SPDX-License-Identifier: MIT
// The machine of a board that is not known here. The clock is the core's; write the rest for your board (whit/port.h).
#include <Arduino.h>
#include <Whit.h>

#include "whit_limits.h"

uint32_t whit_port_now_ms() { return millis(); }

uint32_t whit_port_now_us() { return micros(); }

// Octets of a hardware random generator. Without them nobody is safe from forged connections, so nothing begins.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    (void)to;
    (void)len;
    for (;;) {
    }
}

// Persistent memory that is lost with power: a flash or an EEPROM of the board belongs here.
static uint8_t memory[WHIT_PERSISTENT_SIZE > 0 ? WHIT_PERSISTENT_SIZE : 1];

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    memcpy(to, memory + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    memcpy(memory + address, from, len);
    return true;
}

bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}

const uint8_t *whit_port_persistent_at(uint16_t address) { return memory + address; }
