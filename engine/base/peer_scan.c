// SPDX-License-Identifier: MIT
// The hosts of a small build are found by looking at all of them. Who has no slot makes room, the one that came first before the others.
#include <string.h>

#include "peer.h"
#include "state.h"
#include "tcb.h"

static uint32_t peer_addr[PEERS];    // 0: free
static uint8_t peer_turn;            // the place that is looked at next
uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];
uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];
_Static_assert(PEERS <= 256, "a place's number in an octet");

void peer_init(void)
{
    if (!WHIT_STARTS_ONCE)
        memset(peer_addr, 0, sizeof peer_addr);
}

__attribute__((noinline)) uint16_t peer_slots(uint32_t addr)
{
    uint16_t cnt = 0;
    for (const struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++)
        if (tcb->state != TCB_FREE && tcb->remote_addr == addr)
            cnt++;
    return cnt;
}

uint16_t peer_slot_cnt(uint16_t peer)
{
    return peer_slots(peer_addr[peer]);
}

// Of as many places as there are slots, one is nobody's while a slot looks for its own.
static uint16_t place_new(void)
{
    while (peer_slots(peer_addr[peer_turn]) != 0)
        peer_turn = (uint8_t)((peer_turn + 1) % PEERS);
    return peer_turn;
}

uint16_t peer_of(const struct whit_tcb *slot)
{
    for (uint16_t i = 0; i < PEERS; i++)
        if (peer_addr[i] == slot->remote_addr)
            return i;
    uint16_t peer = place_new();
    peer_addr[peer] = slot->remote_addr;
    peer_srtt[peer] = peer_rttvar[peer] = 0;
    if (WHIT_KEEPS_WINDOW)
        peer_window[peer] = 0;
    return peer;
}

void peer_let_cut(const struct whit_tcb *slot)
{
    (void)slot;
    whit.cuts = true;
}

bool peer_is_cut(const struct whit_tcb *slot)
{
    (void)slot;
    return whit.cuts;
}
