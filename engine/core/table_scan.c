// SPDX-License-Identifier: MIT
// The tables of a small build: slots, tags and timers are found by a search of all of them. table_hash.c does the same
// for thousands.
#include <string.h>

#include "limits.h"
#include "state.h"
#include "tcb.h"

struct whit_tcb whit_slots[WHIT_CONNECTIONS];
struct whit_tag whit_tags[TAG_CNT];
static void peer_take(uint8_t slot, uint32_t addr);
_Static_assert(WHIT_CONNECTIONS <= 256, "a slot's number in an octet");

void table_init(void)
{
    if (WHIT_STARTS_ONCE)
        return;
    memset(whit_slots, 0, sizeof whit_slots);
    if (HAS_TAGS)
        memset(whit_tags, 0, sizeof whit_tags);
    whit.turn = 0;
}

struct whit_tcb *table_find(const struct whit_tcb *peer)
{
    for (struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++)
        if (tcb->state != TCB_FREE && tcb->remote_port == peer->remote_port && tcb->remote_addr == peer->remote_addr &&
            is_tls(tcb) == is_tls(peer))
            return tcb;
    return NULL;
}

static struct whit_tcb *first_free(void)
{
    for (struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++)
        if (tcb->state == TCB_FREE)
            return tcb;
    return NULL;
}

struct whit_tcb *table_take(const struct whit_tcb *peer)
{
    struct whit_tcb *tcb = first_free();
    if (HAS_HOSTS && tcb != NULL)
        peer_take((uint8_t)(tcb - whit_slots), peer->remote_addr);
    return tcb;
}

bool table_is_full(void)
{
    return first_free() == NULL;
}

void table_release(struct whit_tcb *tcb)
{
    tcb_ends(tcb);
    tcb->ready = 0;
}

void table_arm(struct whit_tcb *tcb, uint16_t ticks)
{
    tcb->deadline = (uint16_t)(now_ticks() + ticks);
}

// The slot whose time comes first, and in how many ticks; NULL: no timer runs.
static struct whit_tcb *soonest(uint16_t *ticks)
{
    struct whit_tcb *first = NULL;
    *ticks = TICKS_IDLE;
    for (struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++) {
        uint16_t left = ticks_left(tcb);
        if (tcb->state != TCB_FREE && left < *ticks) {
            *ticks = left;
            first = tcb;
        }
    }
    return first;
}

struct whit_tcb *table_due(void)
{
    uint16_t ticks;
    struct whit_tcb *tcb = soonest(&ticks);
    return ticks == 0 ? tcb : NULL;
}

uint16_t table_next(void)
{
    uint16_t ticks;
    soonest(&ticks);
    return ticks;
}

static bool none_ready;    // no slot became ready since the last search; WHIT_FAST only

void table_ready(struct whit_tcb *tcb)
{
    tcb->ready = 1;
    if (WHIT_FAST)
        none_ready = false;
}

struct whit_tcb *table_next_ready(void)
{
    struct whit_tcb *last = whit_slots + whit.turn, *tcb = last;
    if (WHIT_FAST && none_ready)
        return NULL;
    do {
        if (++tcb == whit_slots + WHIT_CONNECTIONS)
            tcb = whit_slots;
        if (tcb->ready) {
            tcb->ready = 0;
            whit.turn = (uint8_t)(tcb - whit_slots);
            return tcb;
        }
    } while (tcb != last);
    if (WHIT_FAST)
        none_ready = true;
    return NULL;
}

struct whit_tag *table_tag(const struct whit_tcb *peer, whit_tuple tuple, bool wanted)
{
    (void)peer;
    (void)wanted;
    uint16_t cnt = WHIT_IDLE;
    struct whit_tag *tags = whit_tags, *place = tags;
    for (; cnt != 0; cnt--, tags++) {
        if (tags->age != 0 && tags->tuple == tuple)
            return tags;
        if (tags->age < place->age)
            place = tags;
    }
    return place;
}

bool table_is_promised(const struct whit_tcb *but)
{
    uint16_t free_max = 1;    // places without a promise: the one of `but`, and one for each other response
    for (const struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++)
        free_max = (uint16_t)(free_max + (tcb != but && tcb->state == TCB_RESPONSE && !tcb->close));
    for (const struct whit_tag *tag = whit_tags; tag != whit_tags + WHIT_IDLE; tag++)
        if (tag->age < AGE_PROMISED && free_max-- == 0)
            return false;
    return true;
}

// ------------------------------------------------------------------------------------------------ hosts

// Hosts of a small build: found by a search of all of them. A host without a slot makes room, the oldest first.

static uint32_t peer_addr[PEERS];    // 0: free
static uint8_t peer_turn;            // the place that is looked at next
uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];
uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];
#if SLOTS_KNOW_PEERS
whit_peer slot_peers[WHIT_CONNECTIONS];
#endif
_Static_assert(PEERS < 256, "a place's number, and one more, in an octet");

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

// Returns a place for a host that has none. There are as many places as slots, so one is free while a slot looks for
// its own.
static uint16_t place_new(void)
{
    while (peer_slots(peer_addr[peer_turn]) != 0)
        peer_turn = (uint8_t)((peer_turn + 1) % PEERS);
    return peer_turn;
}

static uint16_t host_place(uint32_t addr)
{
    for (uint16_t i = 0; i < PEERS; i++)
        if (peer_addr[i] == addr)
            return i;
    uint16_t peer = place_new();
    peer_addr[peer] = addr;
    peer_srtt[peer] = peer_rttvar[peer] = 0;
    if (WHIT_KEEPS_WINDOW)
        peer_window[peer] = 0;
    return peer;
}

// The host at this address takes the slot.
static void peer_take(uint8_t slot, uint32_t addr)
{
#if SLOTS_KNOW_PEERS
    slot_peers[slot] = (whit_peer)host_place(addr);
#else
    (void)slot;
    (void)addr;
#endif
}

#if !SLOTS_KNOW_PEERS
uint16_t peer_of(const struct whit_tcb *slot)
{
    return host_place(slot->remote_addr);
}
#endif

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
