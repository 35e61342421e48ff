// SPDX-License-Identifier: MIT
// ARP (RFC 826) for IPv4 over Ethernet. We answer a request for our address, and remember a MAC address only of hosts that
// have a connection, from the frames that they send, or because we asked: what others say changes nothing.
#include <string.h>

#include "ethernet.h"
#include "link.h"
#include "rx.h"
#include "../base/octets.h"
#include "../base/peer.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "whit/driver.h"
#include "whit/engine.h"

#define OP_REQUEST 1
#define OP_REPLY 2

// Hardware type 1, protocol type 0800, lengths 6 and 4, operation.
void arp_head(void)
{
    static const uint8_t expected[7] = {0, 1, 8, 0, 6, 4, 0};
    uint8_t operation = whit.rx.head[7];
    if (memcmp(whit.rx.head, expected, 7) != 0 || (operation != OP_REQUEST && operation != OP_REPLY)) {
        rx_ignore(WHIT_DROP_ARP);
        return;
    }
    rx_begin(RX_ARP_BODY, 20);
    whit.rx.option_kind = operation;
}

static bool arp_send(const uint8_t *mac, uint8_t operation, const uint8_t *target_mac, uint32_t target_addr)
{
    static const uint8_t fixed[8] = {8, 6, 0, 1, 8, 0, 6, 4};
    uint8_t frame[42];
    const struct whit_network *n = whit.network;
    memcpy(frame, mac, 6);
    memcpy(frame + 6, n->mac, 6);
    memcpy(frame + 12, fixed, 8);
    store16_be(frame + 20, operation);
    memcpy(frame + 22, n->mac, 6);
    memcpy(frame + 28, n->address, 4);
    memcpy(frame + 32, target_mac, 6);
    store32_be(frame + 38, target_addr);
    bool sent = whit_driver_begin(sizeof frame);
    if (sent) {
        whit_driver_put(frame, sizeof frame, WHIT_IN_RAM);
        whit_driver_end();
    }
    count(sent ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    return sent;
}

void arp_ask(uint32_t addr)
{
    static const uint8_t broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t unknown[6] = {0};
    ethernet.asked = (uint16_t)addr;
    arp_send(broadcast, OP_REQUEST, unknown, addr);
}

// The hosts to which the way leads over `addr`, that have a slot and no MAC address, get this one.
static void answer_came(uint32_t addr, const uint8_t *mac)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        const struct whit_tcb *tcb = &whit_slots[i];
        if (tcb->state == TCB_FREE || next_hop(tcb->remote_addr) != addr || peer_find(tcb->remote_addr) != WHIT_PEERS)
            continue;
        uint16_t peer = peer_learn(tcb->remote_addr);
        if (peer != WHIT_PEERS)
            memcpy(ethernet.peers[peer], mac, 6);
    }
}

void arp_commit(void)
{
    const uint8_t *sender_mac = whit.rx.head, *sender = whit.rx.head + 6, *target = whit.rx.head + 16;
    const uint8_t *own = whit.network->address;
    if (memcmp(sender, own, 4) == 0 || (sender_mac[0] & 1) != 0) {
        count(WHIT_DROP_ARP);
    } else if (memcmp(target, own, 4) != 0) {
        count(WHIT_DROP_FOREIGN);
    } else if (whit.rx.option_kind == OP_REQUEST) {
        arp_send(sender_mac, OP_REPLY, sender_mac, load32_be(sender));
    } else if (ethernet.asked != 0 && load16_be(sender + 2) == ethernet.asked) {
        ethernet.asked = 0;
        answer_came(load32_be(sender), sender_mac);
    }
}

void arp_learn(uint32_t addr)
{
    uint16_t peer = peer_learn(addr);
    if (peer != WHIT_PEERS)
        memcpy(ethernet.peers[peer], ethernet.source, 6);
}
