// SPDX-License-Identifier: MIT
// A driver for an image whose sizes are measured and that is never run: one register takes and gives every octet, so
// that the compiler keeps all of the engine that a real link needs.
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static volatile uint8_t data_register;
static volatile uint8_t status_register;

bool whit_driver_init(void) { return true; }

bool whit_driver_ready(void) { return status_register != 0; }

bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt)
{
    if (!whit_driver_ready())
        return false;
    for (uint8_t i = 0; i < span_cnt; i++)
        for (uint16_t at = 0; at < spans[i].len; at++)
            data_register = spans[i].place == WHIT_IN_FLASH ? whit_flash_u8(&spans[i].octets[at]) : spans[i].octets[at];
    return true;
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
