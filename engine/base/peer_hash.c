// SPDX-License-Identifier: MIT
// The hosts of a large build: a slot's is known by its number, others hang in lists of a hash table. There are twice as many places
// as slots, and who has no slot makes room in turn: on average the second place that is looked at is nobody's.
#include <string.h>

#include "keyed_hash.h"
#include "peer.h"
#include "slots.h"
#include "state.h"
#include "tcb.h"

#define NO_PEER 0xffff

static struct peer {
    uint32_t addr;       // 0: free
    uint16_t slot_cnt;
    uint16_t next;       // in its list
    bool cut;            // peer_is_cut()
} peers[PEERS];
static uint16_t peer_buckets[PEERS], peer_turn, slot_peers[WHIT_CONNECTIONS];
uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];
uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];
_Static_assert(PEERS < NO_PEER, "a place's number");

void peer_init(void)
{
    memset(peers, 0, sizeof peers);
    memset(peer_buckets, 0xff, sizeof peer_buckets);
    peer_turn = 0;
}

static uint16_t *peer_bucket_of(uint32_t addr)
{
    struct whit_tcb host = {.remote_addr = addr};
    return &peer_buckets[keyed_hash(&host, HASH_TABLE).low % PEERS];
}

static uint16_t peer_find(uint32_t addr)
{
    uint16_t i = *peer_bucket_of(addr);
    while (i != NO_PEER && peers[i].addr != addr)
        i = peers[i].next;
    return i;
}

uint16_t peer_slots(uint32_t addr)
{
    uint16_t i = peer_find(addr);
    return i == NO_PEER ? 0 : peers[i].slot_cnt;
}

uint16_t peer_slot_cnt(uint16_t peer)
{
    return peers[peer].slot_cnt;
}

// Takes the place of a host that has no slot.
static uint16_t peer_replace(uint32_t addr)
{
    while (peers[peer_turn].slot_cnt != 0)
        peer_turn = (uint16_t)((peer_turn + 1) % PEERS);
    uint16_t i = peer_turn, *bucket = peer_bucket_of(addr);
    if (peers[i].addr != 0) {
        uint16_t *at = peer_bucket_of(peers[i].addr);
        while (*at != i)
            at = &peers[*at].next;
        *at = peers[i].next;
    }
    peers[i] = (struct peer){addr, 0, *bucket, false};
    *bucket = i;
    peer_srtt[i] = peer_rttvar[i] = 0;
    if (WHIT_KEEPS_WINDOW)
        peer_window[i] = 0;
    return i;
}

void peer_take(uint16_t slot, uint32_t addr)
{
    uint16_t i = peer_find(addr);
    if (i == NO_PEER)
        i = peer_replace(addr);
    peers[i].slot_cnt++;
    slot_peers[slot] = i;
}

void peer_release(uint16_t slot)
{
    peers[slot_peers[slot]].slot_cnt--;
}

uint16_t peer_of(const struct whit_tcb *slot)
{
    return slot_peers[slot - whit_slots];
}

void peer_let_cut(const struct whit_tcb *slot) { peers[peer_of(slot)].cut = true; }
bool peer_is_cut(const struct whit_tcb *slot) { return peers[peer_of(slot)].cut; }
