// SPDX-License-Identifier: MIT
// Octets of the frame being received go to the layer that asked for them: headers when they are complete, data as they come.
// What they say takes effect in dispatch_end(), or never.
#include <string.h>

#include "front.h"
#include "../base/buffer.h"
#include "../base/state.h"
#include "../client/clients.h"
#include "../link/link.h"
#include "../link/rx_sum.h"
#include "../tcp/tcp.h"

__attribute__((noinline)) static void complete(void)
{
    switch (whit.rx.stage) {
    case RX_LINK_HEAD: link_head(); break;
    case RX_ARP_HEAD: arp_head(); break;
    case RX_IP_HEAD: ipv4_head(); break;
    case RX_IP_OPTIONS: ipv4_options(); break;
    case RX_TCP_HEAD: tcp_head(); break;
    case RX_TCP_OPTIONS: tcp_begin(); break;
    case RX_ICMP_HEAD:
        if (WHIT_PING)
            icmp_head();
        break;
    case RX_UDP_HEAD:
        if (WHIT_HAS_UNREACHABLE)
            udp_head();
        break;
    default: break;    // looked at when the frame ends
    }
}

// Octets that are not collected.
static void pass(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    rx_sum_octets(rx, octets, len);
    if (rx->stage == RX_TCP_DATA)
        tcp_data(octets, len);
    else if (rx->stage == RX_TCP_OPTIONS)
        tcp_options(octets, len);
    else if (WHIT_PING && rx->stage == RX_ICMP_DATA)
        icmp_data(octets, len);
}

// Every turn consumes octets, or ends: what follows a datagram in its frame is padding (RFC 1122 section 2.3.3).
void dispatch_octets(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    while (len != 0 && rx->stage != RX_IGNORE && rx->have != rx->need) {
        if (WHIT_FAST && len >= sizeof rx->head && rx->stage <= RX_COLLECTED && rx->have == 0) {
            memcpy(rx->head, octets, sizeof rx->head);    // a run of a known length; the next header overwrites what is too much
            rx->have = rx->need;
            octets += rx->need;
            len = (uint16_t)(len - rx->need);
            complete();
            continue;
        }
        uint16_t taken = (uint16_t)(rx->need - rx->have);
        if (taken > len)
            taken = len;
        if (rx->stage <= RX_COLLECTED)
            memcpy(rx->head + rx->have, octets, taken);
        else
            pass(octets, taken);
        rx->have = (uint16_t)(rx->have + taken);
        if (rx->have == rx->need)
            complete();
        octets += taken;
        len = (uint16_t)(len - taken);
    }
}

void dispatch_end(void)
{
    struct whit_rx *rx = &whit.rx;
    count(WHIT_COUNT_FRAMES_IN);
    if (rx->stage != RX_IGNORE && rx->have != rx->need)
        count(WHIT_DROP_FRAME_SHORT);
    else if (rx->stage == RX_TCP_DATA)
        rx->sum == RX_SUM_RIGHT ? tcp_commit() : count(WHIT_DROP_TCP_CHECKSUM);
    else if (WHIT_PING && rx->stage == RX_ICMP_DATA)
        rx->sum == RX_SUM_RIGHT ? icmp_commit() : count(WHIT_DROP_ICMP);
    else if (WHIT_HAS_UNREACHABLE && rx->stage == RX_UDP_DATA)
        udp_commit();
    else if (rx->stage == RX_ARP_BODY)
        arp_commit();
    if (WHIT_CLIENTS != 0 && (!WHIT_FAST || rx->stage == RX_ARP_BODY))
        clients_ready();    // ARP may have answered
    reservation_over(rx);
    line_begin();
    connection_wake(true);
}
