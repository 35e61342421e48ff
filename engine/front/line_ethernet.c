// SPDX-License-Identifier: MIT
// Octets of an Ethernet frame. The driver says where a frame ends.
#include "front.h"
#include "../link/link.h"

void line_begin(void)
{
    link_begin();
}

void line_input(const uint8_t *octets, uint16_t len)
{
    dispatch_octets(octets, len);
}
