// SPDX-License-Identifier: MIT
// IPv4 (RFC 791, RFC 1122 section 3.2.1). Options are passed over. Fragments are dropped: we announce an MSS that
// needs none.
#include <string.h>

#include "link.h"
#include "rx.h"
#include "rx_sum.h"
#include "../base/checksum.h"
#include "../base/octets.h"
#include "../base/state.h"

// A host's own address: not "this network", loopback, multicast, reserved or broadcast (RFC 1122 section 3.2.1.3),
// and not ours.
bool ipv4_is_host(uint32_t source)
{
    uint32_t own = load32_be(whit.network->address);
    uint8_t prefix_len = whit.network->prefix_len, first = (uint8_t)(source >> 24);
    uint32_t hosts = ~UINT32_C(0) >> (prefix_len & 31);    // of 32 bits all ones, as of none: 255.255.255.255
    bool broadcast = hosts != 1 /* RFC 3021 */ && source == (own | hosts);
    return first != 0 && first != 127 && first < 224 && source != own && !broadcast;
}

void ipv4_options(void)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t protocol = rx->protocol;
    if (rx->sum != RX_SUM_RIGHT) {
        rx_ignore(WHIT_DROP_IP_CHECKSUM);
    } else if (WHIT_PING && protocol == PROTOCOL_ICMP && rx->payload_len >= 8) {
        rx_begin(RX_ICMP_HEAD, 8);
    } else if (protocol == PROTOCOL_TCP && rx->payload_len >= 20) {
        rx_sum_tcp_pseudo(rx);
        rx_begin(RX_TCP_HEAD, 20);
    } else if (WHIT_HAS_UNREACHABLE && protocol == PROTOCOL_UDP && rx->payload_len >= 8 && rx->head[0] == 0x45) {
        udp_begin();
    } else {
        rx_ignore(WHIT_DROP_FOREIGN);
    }
}

void ipv4_head(void)
{
    struct whit_rx *rx = &whit.rx;
    const uint8_t *head = rx->head;
    uint8_t head_len = (uint8_t)((head[0] & 15) * 4);
    uint16_t total_len = load16_be(head + 2);
    rx_sum_ip_head(rx);
    rx->payload_len = (uint16_t)(total_len - head_len);
    rx->protocol = head[9];
    rx->pending.remote_addr = load32_be(head + 12);
    if (head[0] >> 4 != 4 || head_len < 20 || total_len < head_len || !ipv4_is_host(rx->pending.remote_addr))
        rx_ignore(WHIT_DROP_IP_HEADER);
    else if (load32_be(head + 16) != load32_be(whit.network->address))
        rx_ignore(WHIT_DROP_FOREIGN);
    else if ((load16_be(head + 6) & 0x3fff) != 0)    // more fragments, or an offset
        rx_ignore(WHIT_DROP_IP_FRAGMENT);
    else if (head_len > 20)
        rx_begin(RX_IP_OPTIONS, (uint16_t)(head_len - 20u));
    else
        ipv4_options();
}

void ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len)
{
    store32_be(ip, UINT32_C(0x45000000) | total_len);
    store32_be(ip + 8, UINT32_C(64) << 24 | (uint32_t)protocol << 16);
    store32_be(ip + 12, load32_be(whit.network->address));
    store32_be(ip + 16, remote_addr);
    store16_be(ip + 10, (uint16_t)~checksum_octets(0, ip, 20, false));
}
