// SPDX-License-Identifier: MIT
// SLIP (RFC 1055): a datagram is what stands between two END octets. There is one peer and no address.
#include "inner.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

static bool escaped;
static bool empty;    // since the last END nothing came: that END was a separator

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
    if (escaped) {
        escaped = false;
        if (octet != ESC_END && octet != ESC_ESC) {
            if (whit.rx.stage != RX_IGNORE)
                rx_ignore(WHIT_DROP_FRAME_LINE);
            return;
        }
        octet = octet == ESC_END ? END : ESC;
    }
    empty = false;
    rx_octets(&octet, 1);
}

// Octets that stand for themselves go on in one piece.
static uint16_t plain_run(const uint8_t *octets, uint16_t len)
{
    uint16_t n = 0;
    while (n < len && octets[n] != END && octets[n] != ESC)
        n++;
    return n;
}

void link_input(const uint8_t *octets, uint16_t len)
{
    while (len != 0) {
        uint16_t n = escaped ? 0 : plain_run(octets, len);
        if (n != 0) {
            empty = false;
            rx_octets(octets, n);
        } else {
            n = 1;
            if (!escaped && *octets == END) {
                if (!empty)
                    rx_end();
                link_begin();
            } else if (!escaped && *octets == ESC) {
                escaped = true;
                empty = false;
            } else if (*octets == END) {    // ESC END: the datagram is spoilt and has ended
                rx_ignore(WHIT_DROP_FRAME_LINE);
                rx_end();
            } else {
                line_octet(*octets);
            }
        }
        octets += n;
        len = (uint16_t)(len - n);
    }
}

bool link_send(struct frame *f, uint32_t remote_addr, bool answer)
{
    (void)remote_addr;
    (void)answer;
    return whit_driver_transmit(f->spans + 1, (uint8_t)(f->span_cnt - 1));
}

void arp_learn(uint32_t addr)
{
    (void)peer_learn(addr);    // its round-trip time is kept there
}

void arp_head(void)
{
}

void arp_commit(void)
{
}
