// SPDX-License-Identifier: MIT
// A driver for an image whose size is measured, and that is never run. One register takes and gives every octet, so
// that the compiler keeps all parts of the engine that a real link needs.
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static volatile uint8_t data_register;
static volatile uint8_t status_register;

bool whit_driver_init(void)
{
    return true;
}

bool whit_driver_ready(void)
{
    return status_register != 0;
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    return whit_driver_ready();
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    for (; len != 0; len--, octets++)
        data_register = place == WHIT_IN_FLASH ? whit_flash_u8(octets) : *octets;
}

void whit_driver_end(void)
{
}

bool whit_driver_poll(uint32_t now_ms)
{
    if (status_register == 0)
        return false;
    uint8_t octet = data_register;
    whit_input(&octet, 1, now_ms);
    if (status_register == 2)
        whit_input_end(now_ms);
    return true;
}

void whit_driver_wait(uint32_t ms)
{
    uint32_t start = whit_port_now_ms();
    while (status_register == 0 && whit_port_now_ms() - start < ms) {
    }
}
