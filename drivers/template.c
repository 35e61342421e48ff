// SPDX-License-Identifier: MIT
// A driver to start from: it compiles, links and carries no frame. Copy it, and put your hardware where the comments say.
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

bool whit_driver_init(void)
{
    // Reset the hardware, set its MAC address, switch its receiver on. false: it does not answer.
    return true;
}

bool whit_driver_ready(void)
{
    // Read the transmitter's status: false while it still reads the octets of the frame before.
    return true;
}

bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt)
{
    if (!whit_driver_ready())
        return false;
    for (uint8_t i = 0; i < span_cnt; i++) {
        for (uint16_t at = 0; at < spans[i].len; at++) {
            const uint8_t *octet = &spans[i].octets[at];
            // Octets of WHIT_IN_PERSISTENT are read in a third way where that memory is not mapped (whit/port.h).
            uint8_t value = spans[i].place == WHIT_IN_FLASH ? whit_flash_u8(octet) : *octet;
            (void)value;    // Write `value` to the transmitter; a DMA engine takes spans[i] whole instead.
        }
    }
    // Start the transmission: the frame ends here.
    return true;
}

bool whit_driver_poll(uint32_t now_ms)
{
    // While the receiver holds octets, and whit_driver_ready() says that an answer would find its place, hand them over, in
    // any split: whit_input(octets, len, now_ms).
    // Where a frame ends, and its FCS was right: whit_input_end(now_ms). SLIP needs no such call.
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
