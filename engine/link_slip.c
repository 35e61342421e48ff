// SPDX-License-Identifier: MIT
// SLIP (RFC 1055): a datagram is what stands between two END octets. There is one peer and no address.
#include "inner.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

static bool escaped;
static bool empty;    // since the last END nothing came: that END was a separator

void link_init(void)
{
}

void link_begin(void)
{
    rx_begin(RX_IP_HEAD, 20);
    whit.rx.slot = NULL;
    escaped = false;
    empty = true;
}

void link_head(void)
{
}

static void line_octet(uint8_t octet)
{
    if (octet == END) {
        if (escaped)    // the datagram is spoilt, and has ended
            rx_ignore(WHIT_DROP_FRAME_LINE);
        if (!empty)
            rx_end();
        link_begin();
        return;
    }
    empty = false;
    if (!escaped) {
        escaped = octet == ESC;
    } else {
        escaped = false;
        if (octet != ESC_END && octet != ESC_ESC && whit.rx.stage != RX_IGNORE)
            rx_ignore(WHIT_DROP_FRAME_LINE);
        octet = octet == ESC_END ? END : ESC;
    }
    if (!escaped)
        rx_octets(&octet, 1);
}

void link_input(const uint8_t *octets, uint16_t len)
{
    for (; len != 0; len--)
        line_octet(*octets++);
}

bool link_out(uint32_t remote_addr, bool answer, uint16_t len)
{
    (void)remote_addr;
    (void)answer;
    return whit_driver_begin(len);
}

void link_out_end(void)
{
    whit_driver_end();
    whit.now_ms = whit_port_now_ms();    // a driver without a buffer returns when all of it has left: what is timed begins there
}

void arp_learn(uint32_t addr)
{
    (void)addr;
}

void arp_head(void)
{
}

void arp_commit(void)
{
}
