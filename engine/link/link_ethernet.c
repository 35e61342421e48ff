// SPDX-License-Identifier: MIT
// Ethernet II. Frames come without preamble and FCS, which the hardware checks.
#include <string.h>

#include "ethernet.h"
#include "link.h"
#include "rx.h"
#include "../base/octets.h"
#include "../base/peer.h"
#include "../base/state.h"
#include "whit/driver.h"
#include "whit/engine.h"

#define HEAD_LEN 14
#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_ARP 0x0806
#define ETHERTYPE_TAG 0x8100    // IEEE 802.1Q: priority, VLAN, and another EtherType follow
#define TAG_LEN 4

struct ethernet ethernet;

void link_init(void)
{
    if (!WHIT_STARTS_ONCE)
        ethernet.asked = 0;
    peer_init();
}

void link_begin(void)
{
    rx_begin(RX_LINK_HEAD, HEAD_LEN);
    rx_belongs_to(&whit.rx, NULL);
}

void link_head(void)
{
    static const uint8_t broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const uint8_t *head = whit.rx.head;
    uint16_t ethertype = load16_be(head + whit.rx.need - 2);
    bool ours = memcmp(head, whit.network->mac, 6) == 0;
    if (!ours && memcmp(head, broadcast, 6) != 0) {
        rx_ignore(WHIT_DROP_FOREIGN);
        return;
    }
    memcpy(ethernet.source, head + 6, 6);
    if (ethertype == ETHERTYPE_TAG && whit.rx.need == HEAD_LEN)
        whit.rx.need += TAG_LEN;
    else if (whit.rx.need != HEAD_LEN && (load16_be(head + HEAD_LEN) & 0xfff) != 0)    // VLAN 0 is none: the tag tells the priority alone
        rx_ignore(WHIT_DROP_FOREIGN);
    else if (ethertype == ETHERTYPE_IPV4 && ours)
        rx_begin(RX_IP_HEAD, 20);
    else if (ethertype == ETHERTYPE_ARP)
        rx_begin(RX_ARP_HEAD, 8);
    else
        rx_ignore(WHIT_DROP_FOREIGN);
}

void link_source(uint8_t *address)
{
    memcpy(address, ethernet.source, sizeof ethernet.source);
}

void link_answer_to(const uint8_t *address)
{
    memcpy(ethernet.source, address, sizeof ethernet.source);
}

void link_learn(const struct whit_tcb *slot)
{
    memcpy(ethernet.peers[peer_of(slot)], ethernet.source, 6);
}

void link_known(const struct whit_tcb *slot, uint8_t *address)
{
    memcpy(address, ethernet.peers[peer_of(slot)], 6);
}

bool link_cuts(const struct whit_tcb *slot) { return peer_is_cut(slot); }

uint8_t link_write(uint8_t *end, const struct whit_tcb *to)
{
    const uint8_t *mac = to == NULL ? ethernet.source : ethernet.peers[peer_of(to)];
    memcpy(end - 14, mac, 6);
    memcpy(end - 8, whit.network->mac, 6);
    store16_be(end - 2, ETHERTYPE_IPV4);
    return HEAD_LEN;
}

bool link_out(const struct whit_tcb *to, uint16_t len)
{
    uint8_t head[HEAD_LEN];
    link_write(head + HEAD_LEN, to);
    if (!whit_driver_begin((uint16_t)(HEAD_LEN + len)))
        return false;
    whit_driver_put(head, HEAD_LEN, WHIT_IN_RAM);
    return true;
}

void link_out_end(void)
{
    whit_driver_end();
}
