// SPDX-License-Identifier: MIT
// The checksum of the frame being received: of IP's header, then of the pseudo header and all of what the datagram carries. The
// header at hand is in its head.
#ifndef WHIT_LINK_RX_SUM_H
#define WHIT_LINK_RX_SUM_H

#include <stdint.h>

#include "link.h"
#include "../base/checksum.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"

#define RX_SUM_RIGHT 0xffff    // with its checksum

static inline void rx_sum_ip_head(struct whit_rx *rx)
{
    rx->sum = checksum_head(0, rx->head);
}

// IP's header is still there: options are not collected.
static inline void rx_sum_tcp_pseudo(struct whit_rx *rx)
{
    const uint8_t *addresses = rx->head + 12;
    if (WHIT_FAST) {
        rx->sum = checksum_fold(checksum_halves(load32_be(addresses)) + checksum_halves(load32_be(addresses + 4)) + PROTOCOL_TCP + rx->payload_len);
    } else {
        rx->sum = checksum_add(checksum_octets(PROTOCOL_TCP, addresses, 8, false), rx->payload_len);
    }
}

static inline void rx_sum_tcp_head(struct whit_rx *rx)
{
    rx->sum = checksum_head(rx->sum, rx->head);
}

// Its length comes with the header of UDP.
static inline void rx_sum_udp_pseudo(struct whit_rx *rx)
{
    rx->sum = checksum_octets(PROTOCOL_UDP, rx->head + 12, 8, false);
}

static inline void rx_sum_udp_head(struct whit_rx *rx, uint16_t len)
{
    rx->sum = checksum_octets(checksum_add(rx->sum, len), rx->head, 8, false);
}

static inline void rx_sum_icmp_head(struct whit_rx *rx)    // which has no pseudo header
{
    rx->sum = checksum_octets(0, rx->head, 8, false);
}

// Octets that are not collected. All that stands before them has an even length.
static inline void rx_sum_octets(struct whit_rx *rx, const uint8_t *octets, uint16_t len)
{
    rx->sum = checksum_octets(rx->sum, octets, len, rx->have & 1);
}

#endif
