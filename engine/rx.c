// SPDX-License-Identifier: MIT
// The frame being received. Headers are collected octet by octet into whit.rx.head and handed to the layer that
// asked for them; data go through as they come. What they say takes effect in rx_end(), or never.
#include "inner.h"

#include <string.h>

void rx_begin(uint8_t stage, uint8_t need)
{
    whit.rx.stage = stage;
    whit.rx.need = need;
    whit.rx.have = 0;
}

void rx_ignore(enum whit_counter why)
{
    count(why);
    whit.rx.stage = RX_IGNORE;
    whit.rx.claim = 0;
}

void rx_forget(const struct whit_tcb *slot)
{
    if (whit.rx.slot == slot && whit.rx.stage != RX_LINK_HEAD) {
        whit.rx.stage = RX_IGNORE;
        whit.rx.claim = 0;
    }
}

static void head_complete(void)
{
    switch (whit.rx.stage) {
    case RX_LINK_HEAD: link_head(); break;
    case RX_ARP_HEAD: arp_head(); break;
    case RX_ARP_BODY: break;    // its sender and target are looked at when the frame ends
    case RX_IP_HEAD: ipv4_head(); break;
    case RX_TCP_HEAD: tcp_head(); break;
    default: icmp_head(); break;
    }
}

static bool collects(uint8_t stage)
{
    return stage <= RX_IP_HEAD || stage == RX_TCP_HEAD || stage == RX_ICMP_HEAD;
}

// Octets of the datagram at hand; what follows it in its frame is padding (RFC 1122 section 2.3.3).
static uint16_t within_datagram(uint16_t len)
{
    return len < whit.rx.left ? len : whit.rx.left;
}

static uint16_t collect(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    if (len > rx->need - rx->have)
        len = (uint16_t)(rx->need - rx->have);
    memcpy(rx->head + rx->have, octets, len);
    rx->have = (uint8_t)(rx->have + len);
    if (rx->have == rx->need)
        head_complete();
    return len;
}

static uint16_t pass(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t stage = rx->stage;
    if (stage == RX_IP_OPTIONS || stage == RX_TCP_OPTIONS) {
        if (len > rx->need - rx->have)
            len = (uint16_t)(rx->need - rx->have);
        rx->have = (uint8_t)(rx->have + len);
    } else {
        len = within_datagram(len);
    }
    bool odd = stage <= RX_TCP_OPTIONS ? (rx->have - len) & 1 : (rx->payload_len - rx->left) & 1;
    rx->sum = checksum_octets(rx->sum, octets, len, odd);
    rx->left = (uint16_t)(rx->left - len);
    if (stage == RX_TCP_DATA)
        tcp_data(octets, len);
    else if (stage == RX_ICMP_DATA)
        icmp_data(octets, len);
    else if (stage == RX_TCP_OPTIONS)
        tcp_options(octets, len);
    if (stage == RX_IP_OPTIONS && rx->have == rx->need)
        ipv4_options();
    else if (stage == RX_TCP_OPTIONS && rx->have == rx->need)
        tcp_begin();
    return len;
}

// Every turn consumes octets, or ends.
void rx_octets(const uint8_t *octets, uint16_t len)
{
    while (len != 0 && whit.rx.stage != RX_IGNORE) {
        uint16_t taken = collects(whit.rx.stage) ? collect(octets, len) : pass(octets, len);
        if (taken == 0)
            return;    // padding
        octets += taken;
        len = (uint16_t)(len - taken);
    }
}

void rx_end(void)
{
    struct whit_rx *rx = &whit.rx;
    count(WHIT_COUNT_FRAMES_IN);
    if (rx->stage == RX_ARP_BODY && rx->have == rx->need)
        arp_commit();
    else if (rx->stage == RX_TCP_DATA && rx->left == 0)
        rx->sum == 0xffff ? tcp_commit() : count(WHIT_DROP_TCP_CHECKSUM);
    else if (rx->stage == RX_ICMP_DATA && rx->left == 0)
        icmp_commit();
    else if (rx->stage != RX_IGNORE)
        count(WHIT_DROP_FRAME_SHORT);
    rx->claim = 0;
    link_begin();
    connection_wake(true);
}
