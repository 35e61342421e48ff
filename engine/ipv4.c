// SPDX-License-Identifier: MIT
// IPv4 (RFC 791, RFC 1122 section 3.2.1). Options are passed over. Fragments are dropped: we announce an MSS that
// needs none.
#include "inner.h"

#include <string.h>

#define PROTOCOL_ICMP 1
#define PROTOCOL_TCP 6

// A host's own address: not "this network", loopback, multicast, reserved or broadcast (RFC 1122 section 3.2.1.3),
// and not ours.
static bool source_is_host(uint32_t source)
{
    const struct whit_network *n = whit.network;
    uint8_t first = (uint8_t)(source >> 24);
    if (first == 0 || first == 127 || first >= 224 || source == load32_be(n->address))
        return false;
    uint32_t hosts = n->prefix_len == 0 ? 0xffffffff : ~(~UINT32_C(0) << (32 - n->prefix_len));
    if (n->prefix_len >= 31)
        return true;
    return ((source ^ load32_be(n->address)) & ~hosts) != 0 || (source & hosts) != hosts;
}

static void transport_begin(void)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t protocol = rx->option_kind;
    if (rx->sum != 0xffff) {
        rx_ignore(WHIT_DROP_IP_CHECKSUM);
        return;
    }
    rx->payload_len = rx->left;
    if (protocol == PROTOCOL_ICMP && rx->left >= 8) {
        rx->sum = 0;
        rx_begin(RX_ICMP_HEAD, 8);
    } else if (protocol == PROTOCOL_TCP && rx->left >= 20) {
        uint8_t length[2];
        store16_be(length, rx->left);
        rx->sum = checksum_octets(PROTOCOL_TCP, rx->head + 12, 8, false);    // still there: options are not collected
        rx->sum = checksum_octets(rx->sum, length, 2, false);
        rx_begin(RX_TCP_HEAD, 20);
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
    rx->sum = checksum_octets(0, head, 20, false);
    rx->left = (uint16_t)(total_len - 20);
    rx->option_kind = head[9];
    rx->work.remote_addr = load32_be(head + 12);
    if (head[0] >> 4 != 4 || head_len < 20 || total_len < head_len || !source_is_host(rx->work.remote_addr))
        rx_ignore(WHIT_DROP_IP_HEADER);
    else if (memcmp(head + 16, whit.network->address, 4) != 0)
        rx_ignore(WHIT_DROP_FOREIGN);
    else if ((load16_be(head + 6) & 0x3fff) != 0)    // more fragments, or an offset
        rx_ignore(WHIT_DROP_IP_FRAGMENT);
    else if (head_len > 20)
        rx_begin(RX_IP_OPTIONS, (uint8_t)(head_len - 20));
    else
        transport_begin();
}

void ipv4_options(void)
{
    transport_begin();
}

uint32_t ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len)
{
    uint32_t addresses = 0;
    checksum_put32(checksum_put32(ip + 12, load32_be(whit.network->address), &addresses), remote_addr, &addresses);
    uint32_t sum = addresses;
    uint8_t *to = checksum_put16(checksum_put16(ip, 0x4500, &sum), total_len, &sum);
    to = checksum_put32(to, 0x4000, &sum);    // don't fragment: the identification may be 0 (RFC 6864)
    checksum_put16(to, (uint16_t)(64 << 8 | protocol), &sum);
    store16_be(ip + 10, (uint16_t)~checksum_fold(sum));
    return addresses;
}
