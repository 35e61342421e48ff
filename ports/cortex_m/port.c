// SPDX-License-Identifier: MIT
// Clock and stores of the image that sizes are measured on. It is linked, not run: there is no source of entropy on the
// board that it is linked for, and its persistent memory is RAM.
#include <string.h>

#include "whit/port.h"
#include "whit_limits.h"

#define STORE_LEN (WHIT_PERSISTENT_SIZE > 0 ? WHIT_PERSISTENT_SIZE : 1)

static volatile uint32_t milliseconds;
static uint8_t store[STORE_LEN];

void systick(void);
void systick(void) { milliseconds++; }

uint32_t whit_port_now_ms(void) { return milliseconds; }

uint32_t whit_port_now_us(void) { return milliseconds * 1000; }

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++)
        to[i] = (uint8_t)milliseconds;
}

const uint8_t *whit_port_persistent_at(uint16_t address) { return store + address; }

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if ((uint32_t)address + len > WHIT_PERSISTENT_SIZE)
        return false;
    memcpy(to, store + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if ((uint32_t)address + len > WHIT_PERSISTENT_SIZE)
        return false;
    memcpy(store + address, from, len);
    return true;
}
