// SPDX-License-Identifier: MIT
// There is no UDP here: a datagram for any port is answered by ICMP "port unreachable" (RFC 1122 section 3.2.2.1), so that its
// sender need not wait. It came to our own address, by a frame of our own (ipv4.c, link_ethernet.c), with a correct checksum. One
// answer each 64 ms, of 56 octets.
#include <string.h>

#include "link.h"
#include "rx.h"
#include "rx_sum.h"
#include "../base/checksum.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "whit/driver.h"

#define UNREACHABLE_PORT 0x0303    // type and code
#define QUOTED 28    // octets: the IP header, which has no options, and that of UDP

static uint8_t quoted[QUOTED];
static uint8_t unreachable_sent;    // when the last one left

void udp_begin(void)
{
    struct whit_rx *rx = &whit.rx;
    memcpy(quoted, rx->head, 20);
    rx_sum_udp_pseudo(rx);
    rx_begin(RX_UDP_HEAD, 8);
}

void udp_head(void)
{
    struct whit_rx *rx = &whit.rx;
    uint16_t len = load16_be(rx->head + 4);
    if (len < 8 || len > rx->payload_len) {
        rx_ignore(WHIT_DROP_FOREIGN);
        return;
    }
    memcpy(quoted + 20, rx->head, 8);
    rx_sum_udp_head(rx, len);
    rx_begin(RX_UDP_DATA, (uint16_t)(len - 8u));
}

__attribute__((noinline)) void udp_commit(void)    // the same as icmp_commit()
{
    uint8_t now = (uint8_t)(whit.now_ms >> CHALLENGE_SHIFT);
    bool checked = load16_be(quoted + 26) != 0;
    count(WHIT_DROP_FOREIGN);
    if ((checked && whit.rx.sum != RX_SUM_RIGHT) || now == unreachable_sent)
        return;
    unreachable_sent = now;
    uint8_t head[28], *icmp = head + 20;
    store32_be(icmp, (uint32_t)UNREACHABLE_PORT << 16);
    store32_be(icmp + 4, 0);
    store16_be(icmp + 2, (uint16_t)~checksum_octets(UNREACHABLE_PORT, quoted, QUOTED, false));
    store32_be(head + 4, IPV4_WHOLE);
    ipv4_write(head, whit.rx.pending.remote_addr, PROTOCOL_ICMP, 28 + QUOTED);
    if (!frame_begin(head, sizeof head, QUOTED, NULL))
        return;
    whit_driver_put(quoted, QUOTED, WHIT_IN_RAM);
    link_out_end();
    count(WHIT_COUNT_UNREACHABLE);
}
