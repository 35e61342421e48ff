// SPDX-License-Identifier: MIT
// A machine without persistent memory: reads return 0, and writes are refused, except the time of WS-Security.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "whit/port.h"
#include "whit_limits.h"

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    (void)address;
    return NULL;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    (void)address;
    memset(to, 0, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    (void)address;
    (void)from;
    (void)len;
    return WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE;
}

bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
