// SPDX-License-Identifier: MIT
// What is known of the hosts that we talk to, whichever of their connections taught it (RFC 9040): round-trip time,
// and on Ethernet the MAC address that their frames come from (arp.c). A host has its place within a few steps from
// where its address leads; one with a slot is never evicted.
#include <string.h>

#include "peer.h"
#include "state.h"
#include "tcb.h"

#define PROBES (WHIT_PEERS < 4 ? WHIT_PEERS : 4)

static uint32_t peer_addr[WHIT_PEERS];    // 0: free
uint16_t peer_srtt[WHIT_PEERS], peer_rttvar[WHIT_PEERS];

void peer_init(void)
{
    memset(peer_addr, 0, sizeof peer_addr);
}

static uint16_t place(uint32_t addr, uint8_t probe)
{
    uint16_t start = (uint16_t)(addr ^ addr >> 8 ^ addr >> 16);
    return (uint16_t)((start + probe) % WHIT_PEERS);
}

uint16_t peer_find(uint32_t addr)
{
    for (uint8_t probe = 0; probe < PROBES; probe++)
        if (peer_addr[place(addr, probe)] == addr)
            return place(addr, probe);
    return WHIT_PEERS;
}

static bool in_use(uint32_t addr)
{
    for (uint16_t i = 0; addr != 0 && i < WHIT_CONNECTIONS; i++)
        if (whit_slots[i].state != TCB_FREE && whit_slots[i].remote_addr == addr)
            return true;
    return false;
}

uint16_t peer_learn(uint32_t addr)
{
    uint16_t peer = peer_find(addr);
    for (uint8_t probe = 0; peer == WHIT_PEERS && probe < PROBES; probe++) {
        uint16_t candidate = place(addr, probe);
        if (in_use(peer_addr[candidate]))
            continue;
        peer = candidate;
        peer_addr[peer] = addr;
        peer_srtt[peer] = 0;
        peer_rttvar[peer] = 0;
    }
    return peer;
}
