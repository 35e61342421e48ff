// SPDX-License-Identifier: MIT
// A driver to start from: it compiles and links, but transfers no frames. Copy it, and add your hardware at the
// comments.
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

bool whit_driver_begin(uint16_t len)
{
    // Tell the transmitter that a frame of `len` octets comes, if it must know.
    (void)len;
    return whit_driver_ready();
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    for (; len != 0; len--, octets++) {
        // If persistent memory is not mapped, octets of WHIT_IN_PERSISTENT are read in a third way (whit/port.h).
        uint8_t value = place == WHIT_IN_FLASH ? whit_flash_u8(octets) : *octets;
        (void)value;    // Write `value` to the transmitter; with DMA, add a descriptor for all of the octets instead.
    }
}

void whit_driver_end(void)
{
    // Start the transmission.
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
