// SPDX-License-Identifier: MIT
// The tables of a large build: constant time at any size. Slots are in lists of a hash table, free slots in their own
// list, ready slots in a queue. Timers are in the lists of a wheel, tags in sets. The links are outside the slots,
// which stay as small as in other builds.
#include <string.h>

#include "limits.h"
#include "state.h"
#include "tcb.h"

#define NONE 0xffff
#define UNQUEUED 0xfffe
#define WHEEL 256    // lists of the wheel, one a tick of TICK_MS * 4
#define GRAIN_SHIFT 2
// Tags of a set. A connection's tag has two possible sets. At nine tenths full, one of ten thousand tags finds no
// place.
#define SET 16

struct link {
    uint16_t next;                          // next in the hash table's list, or the free list
    uint16_t next_ready;                    // next in the queue; UNQUEUED: not in it
    uint16_t timer_next, timer_previous;    // NONE and NONE: not armed. The first timer's previous is NONE.
    uint16_t list;                          // its list of the wheel; NONE: none
};

struct whit_tcb whit_slots[WHIT_CONNECTIONS];
struct whit_tag whit_tags[TAG_CNT];
static struct link links[WHIT_CONNECTIONS];
static uint16_t buckets[WHIT_CONNECTIONS];
static uint16_t wheel[WHEEL];
static uint32_t hangs[WHEEL / 32];    // a bit for each list of the wheel: it is not empty
static uint16_t free_first, ready_first, ready_last;
static uint16_t turned;    // grain up to which the wheel has been looked at
static uint16_t armed_cnt;

static uint16_t grain_of(uint16_t tick)
{
    return tick >> GRAIN_SHIFT;
}

static uint16_t index_of(const struct whit_tcb *tcb)
{
    return (uint16_t)(tcb - whit_slots);
}

static uint16_t *bucket_of(const struct whit_tcb *peer)
{
    return &buckets[keyed_hash(peer, hash_use(peer, HASH_TABLE)).low % WHIT_CONNECTIONS];
}

void table_init(void)
{
    memset(whit_slots, 0, sizeof whit_slots);
    if (HAS_TAGS)
        memset(whit_tags, 0, sizeof whit_tags);
    memset(buckets, 0xff, sizeof buckets);
    memset(wheel, 0xff, sizeof wheel);
    memset(hangs, 0, sizeof hangs);
    memset(links, 0xff, sizeof links);
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        links[i].next = i + 1 < WHIT_CONNECTIONS ? (uint16_t)(i + 1) : NONE;
        links[i].next_ready = UNQUEUED;
    }
    free_first = 0;
    ready_first = ready_last = NONE;
    turned = grain_of(now_ticks());
    armed_cnt = 0;
}

struct whit_tcb *table_find(const struct whit_tcb *peer)
{
    for (uint16_t i = *bucket_of(peer); i != NONE; i = links[i].next)
        if (whit_slots[i].remote_port == peer->remote_port && whit_slots[i].remote_addr == peer->remote_addr &&
            is_tls(&whit_slots[i]) == is_tls(peer))
            return &whit_slots[i];
    return NULL;
}

static void peer_take(uint16_t slot, uint32_t addr);    // this host takes the slot
static void peer_release(uint16_t slot);                // ... and gives it back

struct whit_tcb *table_take(const struct whit_tcb *peer)
{
    uint16_t i = free_first, *bucket = bucket_of(peer);
    if (i == NONE)
        return NULL;
    free_first = links[i].next;
    links[i].next = *bucket;
    *bucket = i;
    peer_take(i, peer->remote_addr);
    return &whit_slots[i];
}

bool table_is_full(void)
{
    return free_first == NONE;
}

static void disarm(uint16_t i)
{
    struct link *l = &links[i];
    if (l->list == NONE)
        return;
    if (l->timer_previous == NONE)
        wheel[l->list] = l->timer_next;
    else
        links[l->timer_previous].timer_next = l->timer_next;
    if (l->timer_next != NONE)
        links[l->timer_next].timer_previous = l->timer_previous;
    if (wheel[l->list] == NONE)
        hangs[l->list / 32] &= ~(UINT32_C(1) << l->list % 32);
    l->list = NONE;
    armed_cnt--;
}

void table_release(struct whit_tcb *tcb)
{
    uint16_t i = index_of(tcb), *at = bucket_of(tcb);
    while (*at != i)    // it hangs there since table_take()
        at = &links[*at].next;
    *at = links[i].next;
    links[i].next = free_first;
    free_first = i;
    peer_release(i);
    disarm(i);
    tcb->ready = 0;    // its place in the queue is passed over
    tcb_ends(tcb);
}

void table_arm(struct whit_tcb *tcb, uint16_t ticks)
{
    uint16_t i = index_of(tcb);
    disarm(i);
    tcb->deadline = (uint16_t)(now_ticks() + ticks);
    uint16_t list = (uint16_t)(grain_of((uint16_t)(tcb->deadline + (1u << GRAIN_SHIFT) - 1)) % WHEEL);
    links[i].list = list;
    links[i].timer_previous = NONE;
    links[i].timer_next = wheel[list];
    if (wheel[list] != NONE)
        links[wheel[list]].timer_previous = i;
    wheel[list] = i;
    hangs[list / 32] |= UINT32_C(1) << list % 32;
    armed_cnt++;
}

// Returns a timer that is due in this turn of the wheel. The list also has timers of later turns, which stay.
static struct whit_tcb *due_in(uint16_t list)
{
    for (uint16_t i = wheel[list]; i != NONE; i = links[i].timer_next)
        if (!tick_lt(now_ticks(), whit_slots[i].deadline))
            return &whit_slots[i];
    return NULL;
}

struct whit_tcb *table_due(void)
{
    uint16_t now = grain_of(now_ticks());
    uint16_t behind = (uint16_t)((now - turned) & (0xffff >> GRAIN_SHIFT));
    if (behind > WHEEL)    // a long sleep: one turn sees every list
        turned = (uint16_t)((now - WHEEL) & (0xffff >> GRAIN_SHIFT));
    for (;;) {
        struct whit_tcb *tcb = due_in(turned % WHEEL);
        if (tcb != NULL || turned == now)
            return tcb;
        turned = (uint16_t)((turned + 1) & (0xffff >> GRAIN_SHIFT));
    }
}

// The next list that holds anything, at most a turn away.
uint16_t table_next(void)
{
    if (armed_cnt == 0)
        return TICKS_IDLE;
    if (turned != grain_of(now_ticks()) || due_in(turned % WHEEL) != NULL)
        return 0;
    uint16_t grains = 1;
    while (grains < WHEEL) {
        uint16_t list = (uint16_t)((turned + grains) % WHEEL);
        uint32_t these = hangs[list / 32] >> list % 32;    // a bit for this list, and for those behind it
        if ((these & 1) != 0)
            break;
        grains = (uint16_t)(grains + (these == 0            ? 32 - list % 32
                                      : (these & 0xff) == 0 ? 8
                                      : (these & 3) == 0    ? 2
                                                            : 1));
    }
    return (uint16_t)((grains < WHEEL ? grains : WHEEL) << GRAIN_SHIFT);
}

void table_ready(struct whit_tcb *tcb)
{
    uint16_t i = index_of(tcb);
    tcb->ready = 1;
    if (links[i].next_ready != UNQUEUED)
        return;
    links[i].next_ready = NONE;
    if (ready_first == NONE)
        ready_first = i;
    else
        links[ready_last].next_ready = i;
    ready_last = i;
}

struct whit_tcb *table_next_ready(void)
{
    while (ready_first != NONE) {
        struct whit_tcb *tcb = &whit_slots[ready_first];
        struct link *l = &links[ready_first];
        ready_first = l->next_ready;
        l->next_ready = UNQUEUED;
        if (tcb->ready) {
            tcb->ready = 0;
            return tcb;
        }
    }
    return NULL;
}

// The last set may begin in the one before.
#define SETS ((WHIT_IDLE + SET - 1) / SET)
static struct whit_tag *set_of(uint32_t number)
{
    uint32_t at = number % SETS * SET;
    return &whit_tags[at + SET <= WHIT_IDLE ? at : WHIT_IDLE - SET];
}

#define TUPLES 8
static bool none_has(const struct whit_tag *tags, whit_tuple tuple)
{
    return tags[0].tuple != tuple && tags[1].tuple != tuple && tags[2].tuple != tuple && tags[3].tuple != tuple &&
           tags[4].tuple != tuple && tags[5].tuple != tuple && tags[6].tuple != tuple && tags[7].tuple != tuple;
}

// NULL: none has it.
static struct whit_tag *tag_in(struct whit_tag *tags, uint16_t cnt, whit_tuple tuple)
{
    for (struct whit_tag *tag = tags, *end = tags + cnt; tag != end; tag++) {
        while (end - tag >= TUPLES && none_has(tag, tuple))
            tag += TUPLES;
        if (tag == end)
            break;
        if (tag->tuple == tuple && tag->age != 0)
            return tag;
    }
    return NULL;
}

static uint16_t free_cnt(const struct whit_tag *tags)
{
    uint16_t cnt = 0;
    for (const struct whit_tag *end = tags + SET; tags != end; tags++)
        cnt = (uint16_t)(cnt + (tags->age == 0));
    return cnt;
}

static struct whit_tag *oldest_tag(struct whit_tag *tags, uint16_t cnt)
{
    struct whit_tag *oldest = tags;
    uint8_t least = tags->age;
    for (struct whit_tag *tag = tags + 1, *end = tags + cnt; tag != end && least != 0; tag++) {
        uint8_t age = tag->age;
        if (age < least) {
            least = age;
            oldest = tag;
        }
    }
    return oldest;
}

// Returns the connection's tag, or a place for a new one in the emptier set, which keeps both from being full for long.
static struct whit_tag *tag_in_sets(struct whit_tag *one, struct whit_tag *other, whit_tuple tuple, bool wanted)
{
    struct whit_tag *found = tag_in(one, SET, tuple);
    if (found == NULL)
        found = tag_in(other, SET, tuple);
    if (found != NULL || !wanted)
        return found != NULL ? found : one;
    struct whit_tag *oldest = oldest_tag(one, SET), *instead = oldest_tag(other, SET);
    if (oldest->age == 0 && instead->age == 0)
        return free_cnt(other) > free_cnt(one) ? instead : oldest;
    return instead->age < oldest->age ? instead : oldest;
}

struct whit_tag *table_tag(const struct whit_tcb *peer, whit_tuple tuple, bool wanted)
{
    if (WHIT_IDLE > 2 * SET) {
        struct hash sets = keyed_hash(peer, hash_use(peer, HASH_TABLE));
        return tag_in_sets(set_of(sets.low), set_of(sets.high), tuple, wanted);
    }
    struct whit_tag *found = tag_in(whit_tags, WHIT_IDLE, tuple);
    return found != NULL ? found : wanted ? oldest_tag(whit_tags, WHIT_IDLE) : whit_tags;
}

// ------------------------------------------------------------------------------------------------ hosts

// The hosts of a large build. The host of a slot is known by its number; others are in lists of a hash table. There are
// twice as many places as slots, and hosts without a slot make room in turn. On average, the second place compared has
// such a host.

#define NO_PEER 0xffff

static struct peer {
    uint32_t addr;    // 0: free
    uint16_t slot_cnt;
    uint16_t next;    // next in its list
    bool cut;         // peer_is_cut()
} peers[PEERS];
#if SLOTS_KNOW_PEERS
whit_peer slot_peers[WHIT_CONNECTIONS];
#else    // a small build that hashes all the same, as tests have it
static whit_peer slot_peers[WHIT_CONNECTIONS];
uint16_t peer_of(const struct whit_tcb *slot)
{
    return slot_peers[slot - whit_slots];
}
#endif
static uint16_t peer_buckets[PEERS], peer_turn;
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

static void peer_take(uint16_t slot, uint32_t addr)
{
    uint16_t i = peer_find(addr);
    if (i == NO_PEER)
        i = peer_replace(addr);
    peers[i].slot_cnt++;
    slot_peers[slot] = i;
}

static void peer_release(uint16_t slot)
{
    peers[slot_peers[slot]].slot_cnt--;
}

void peer_let_cut(const struct whit_tcb *slot)
{
    peers[peer_of(slot)].cut = true;
}
bool peer_is_cut(const struct whit_tcb *slot)
{
    return peers[peer_of(slot)].cut;
}
