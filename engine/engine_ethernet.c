// SPDX-License-Identifier: MIT
// Octets of an Ethernet frame. The driver marks the end of a frame.
#include "engine.h"
#include "net/net.h"

void line_begin(void)
{
    link_begin();
}

void line_input(const uint8_t *octets, uint16_t len)
{
    dispatch_octets(octets, len);
}
