// SPDX-License-Identifier: MIT
// A driver to start from: it compiles and links, but transfers no frames. Copy it, and add your hardware at the comments.
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

bool whit_driver_init(void)
{
    // Reset the hardware, set its MAC address, enable its receiver. Return false if it does not answer.
    return true;
}

bool whit_driver_ready(void)
{
    // Read the transmitter's status: false while it still reads the octets of the previous frame.
    return true;
}

bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt)
{
    if (!whit_driver_ready())
        return false;
    for (uint8_t i = 0; i < span_cnt; i++) {
        for (uint16_t at = 0; at < spans[i].len; at++) {
            const uint8_t *octet = &spans[i].octets[at];
            // If persistent memory is not mapped, octets of WHIT_IN_PERSISTENT are read in a third way (whit/port.h).
            uint8_t value = spans[i].place == WHIT_IN_FLASH ? whit_flash_u8(octet) : *octet;
            (void)value;    // Write `value` to the transmitter; with DMA, give it spans[i] as a whole instead.
        }
    }
    // Start the transmission: the frame ends here.
    return true;
}

bool whit_driver_poll(uint32_t now_ms)
{
    // While the receiver holds octets and whit_driver_ready() is true, pass them on, in any split:
    // whit_input(octets, len, now_ms).
    // At the end of a frame with a right FCS: whit_input_end(now_ms). SLIP does not need this call.
    (void)now_ms;
    return false;
}

void whit_driver_wait(uint32_t ms)
{
    // Sleep until an interrupt of the receiver or of the clock. Coming back early does no harm.
    uint32_t start = whit_port_now_ms();
    while (whit_port_now_ms() - start < ms) {
    }
}
