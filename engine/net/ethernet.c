// SPDX-License-Identifier: MIT
// Ethernet II. Frames come without preamble and FCS, which the hardware checks.
#include <string.h>

#include "net.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
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
    else if (whit.rx.need != HEAD_LEN &&
             (load16_be(head + HEAD_LEN) & 0xfff) != 0)    // VLAN 0 is no VLAN: the tag has only the priority
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

bool link_cuts(const struct whit_tcb *slot)
{
    return peer_is_cut(slot);
}

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

// ------------------------------------------------------------------------------------------------ ARP

// ARP (RFC 826) for IPv4 over Ethernet. We answer a request for our address. The MAC address of a host with a
// connection is the source of its segments; we send a request if the host is silent. Other ARP messages change nothing.

#define OP_REQUEST 1
#define OP_REPLY 2

static const uint8_t to_everybody[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
static const uint8_t unknown_mac[6] = {0};

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
    whit.rx.arp_operation = operation;
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

// Itself, or the gateway when it is not on our network.
static uint32_t next_hop(uint32_t addr)
{
    const struct whit_network *n = whit.network;
    uint32_t mask = n->prefix_len == 0 ? 0 : ~UINT32_C(0) << (32 - n->prefix_len);
    uint32_t gateway = load32_be(n->gateway);
    return gateway != 0 && ((addr ^ load32_be(n->address)) & mask) != 0 ? gateway : addr;
}

// Asks for the MAC address again of a peer that does not answer: it may have another one now (RFC 1122 section
// 2.3.2.1).
void link_doubt(const struct whit_tcb *slot)
{
    uint32_t addr = next_hop(slot->remote_addr);
    peer_let_cut(slot);
    ethernet.asked = (uint16_t)addr;
    arp_send(to_everybody, OP_REQUEST, unknown_mac, addr);
}

// Ways to hosts that we speak to first.
#define WAYS (WHIT_CLIENTS != 0 ? WHIT_CLIENTS : 1)
static struct way {
    uint32_t hop;
    uint8_t mac[6];
    bool known, asked;
} ways[WAYS];

void link_way_forget(uint8_t number)
{
    ways[number] = (struct way){.hop = 0};
}

void link_way_ask(uint8_t number, uint32_t addr)
{
    ways[number].hop = next_hop(addr);
    ways[number].asked = true;
    arp_send(to_everybody, OP_REQUEST, unknown_mac, ways[number].hop);
}

bool link_way_known(uint8_t number)
{
    return ways[number].known;
}

void link_way_learn(uint8_t number)
{
    memcpy(ways[number].mac, ethernet.source, 6);
}

void link_way_take(uint8_t number)
{
    memcpy(ethernet.source, ways[number].mac, 6);
}

static bool way_found(uint32_t hop, const uint8_t *mac)
{
    bool found = false;
    for (uint8_t i = 0; i + 1 <= WHIT_CLIENTS; i++) {
        if (!ways[i].asked || ways[i].hop != hop)
            continue;
        ways[i].asked = false;
        ways[i].known = found = true;
        memcpy(ways[i].mac, mac, 6);
    }
    return found;
}

// The hosts to which the way leads over `addr`.
static void answer_came(uint32_t addr, const uint8_t *mac)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        if (whit_slots[i].state != TCB_FREE && next_hop(whit_slots[i].remote_addr) == addr)
            memcpy(ethernet.peers[peer_of(&whit_slots[i])], mac, 6);
}

void arp_commit(void)
{
    const uint8_t *sender_mac = whit.rx.head, *sender = whit.rx.head + 6, *target = whit.rx.head + 16;
    const uint8_t *own = whit.network->address;
    if (memcmp(sender, own, 4) == 0 || (sender_mac[0] & 1) != 0) {
        count(WHIT_DROP_ARP);
    } else if (memcmp(target, own, 4) != 0) {
        count(WHIT_DROP_FOREIGN);
    } else if (whit.rx.arp_operation == OP_REQUEST) {
        arp_send(sender_mac, OP_REPLY, sender_mac, load32_be(sender));
    } else if (WHIT_CLIENTS != 0 && way_found(load32_be(sender), sender_mac)) {
        // clients_ready() runs for each frame of ARP
    } else if (ethernet.asked != 0 && load16_be(sender + 2) == ethernet.asked) {
        ethernet.asked = 0;
        answer_came(load32_be(sender), sender_mac);
    }
}
