// SPDX-License-Identifier: MIT
// Turns by host. Waiting hosts form a ring; a host that had its turn goes to the end. A host owes the time for which it
// had slots, less an eighth of the time that passes. Once the first host of the ring has waited for a second, newcomers
// get every other turn. The newcomer is the host without debt that began to wait last. A host's turns begin with its
// complete requests and with its incomplete ones alternately. A peer that sends its request octet by octet keeps a slot
// for a second or two, and a host may have many such peers.
#include "fair.h"

#include <string.h>

#include "whit/engine.h"

#define HOSTS FAIR_FRAMES    // every waiting host has a frame
#define BUCKETS 1024         // a power of two
#define CROWDED_MS 1000      // once the ring's first host has waited for this long, newcomers get every other turn
#define SAMPLE_MS 128
#define DEBT_MAX_MS 8000           // paid off after 64 s
#define DEBT_NONE_MS 256           // a host that owes at most this is a newcomer
#define TURN_MS (SAMPLE_MS / 2)    // debt that a turn adds at once

static struct host {
    uint32_t address;
    uint32_t began_ms;    // begin of the wait
    uint32_t since_ms;    // ... or had its last turn after that
    uint32_t round;       // the last round that passed it
    uint16_t debt_ms;
    uint16_t kept;              // frames
    struct fair_list frames;    // waiting ones: whole requests, then the others
    uint16_t part;              // the first that is not whole
    bool part_turn;             // its next turn begins with `part`
    uint16_t next, before;      // neighbours in the ring
    uint16_t chain;             // next one in its bucket
} hosts[HOSTS];
static uint16_t used_cnt, replaced;                       // places in use; the place that was replaced last
static uint16_t buckets[BUCKETS];                         // 1 + the first host; 0: empty
static struct fair_list ring = {FAIR_NONE, FAIR_NONE};    // hosts in the ring
static struct link {
    uint16_t next, before;
} links[FAIR_FRAMES];
static uint32_t accounted_ms, fair_round_cnt = 1;
static bool newcomers_turn;            // the next turn goes to a newcomer, if there is one
static bool newcomer_passed;           // this round has passed a host: newcomers get no more turns in it
static uint16_t cursor = FAIR_NONE;    // place in the ring: this round has passed all hosts before it

// Inserts the frame in front of `next`; FAIR_NONE: at the end of the list.
static void insert(struct fair_list *list, uint16_t frame, uint16_t next)
{
    uint16_t *after = next != FAIR_NONE ? &links[next].before : &list->last;
    links[frame] = (struct link){next, *after};
    *(*after != FAIR_NONE ? &links[*after].next : &list->first) = frame;
    *after = frame;
}

void fair_append(struct fair_list *list, uint16_t frame)
{
    insert(list, frame, FAIR_NONE);
}

void fair_remove(struct fair_list *list, uint16_t frame)
{
    struct link at = links[frame];
    *(at.before != FAIR_NONE ? &links[at.before].next : &list->first) = at.next;
    *(at.next != FAIR_NONE ? &links[at.next].before : &list->last) = at.before;
}

uint16_t fair_after(uint16_t frame)
{
    return links[frame].next;
}

static void ring_append(uint16_t host)
{
    hosts[host].next = FAIR_NONE;
    hosts[host].before = ring.last;
    *(ring.last != FAIR_NONE ? &hosts[ring.last].next : &ring.first) = host;
    ring.last = host;
}

static void ring_remove(uint16_t host)
{
    const struct host *one = &hosts[host];
    if (cursor == host)
        cursor = one->next;
    *(one->before != FAIR_NONE ? &hosts[one->before].next : &ring.first) = one->next;
    *(one->next != FAIR_NONE ? &hosts[one->next].before : &ring.last) = one->before;
}

static uint16_t *bucket_of(uint32_t address)
{
    return &buckets[(address * UINT32_C(0x9e3779b1)) >> 22];
}

static void unchain(uint16_t host)
{
    uint16_t *at = bucket_of(hosts[host].address);
    while (*at != host + 1)
        at = &hosts[*at - 1].chain;
    *at = hosts[host].chain;
}

// Returns an unused place, else that of a host without frames; a host that owes nothing is replaced first.
static uint16_t new_place(void)
{
    if (used_cnt < HOSTS)
        return used_cnt++;
    uint16_t any = FAIR_NONE;
    for (uint16_t cnt = HOSTS; cnt != 0; cnt--) {
        replaced = (uint16_t)((replaced + 1) % HOSTS);
        if (hosts[replaced].kept != 0)
            continue;
        any = replaced;
        if (hosts[any].debt_ms == 0)
            break;
    }
    unchain(any);    // there is one: a frame's place is free, so some host has no frame
    return any;
}

uint16_t fair_host(uint32_t address)
{
    for (uint16_t at = *bucket_of(address); at != 0; at = hosts[at - 1].chain)
        if (hosts[at - 1].address == address)
            return (uint16_t)(at - 1);
    uint16_t host = new_place(), *bucket = bucket_of(address);
    hosts[host] =
        (struct host){.address = address, .frames = {FAIR_NONE, FAIR_NONE}, .part = FAIR_NONE, .chain = *bucket};
    *bucket = (uint16_t)(host + 1);
    return host;
}

void fair_keep(uint16_t host)
{
    hosts[host].kept++;
}
void fair_let_go(uint16_t host)
{
    hosts[host].kept--;
}
struct fair_list *fair_frames(uint16_t host)
{
    return &hosts[host].frames;
}
bool fair_any(void)
{
    return ring.first != FAIR_NONE;
}
uint16_t fair_first(void)
{
    return ring.first;
}
uint16_t fair_second(uint16_t host)
{
    return hosts[host].next;
}

void fair_wait(uint16_t host, uint16_t frame, bool whole, uint32_t now_ms)
{
    struct host *one = &hosts[host];
    if (one->frames.first == FAIR_NONE) {
        one->began_ms = one->since_ms = now_ms;
        ring_append(host);
    }
    insert(&one->frames, frame, whole ? one->part : FAIR_NONE);
    if (!whole && one->part == FAIR_NONE)
        one->part = frame;
}

void fair_leave(uint16_t host, uint16_t frame)
{
    if (hosts[host].part == frame)
        hosts[host].part = fair_after(frame);
    fair_remove(&hosts[host].frames, frame);
    if (hosts[host].frames.first == FAIR_NONE)
        ring_remove(host);
}

static void owe(struct host *one, uint32_t ms)
{
    one->debt_ms = (uint16_t)(one->debt_ms + ms < DEBT_MAX_MS ? one->debt_ms + ms : DEBT_MAX_MS);
}

// Charges each host for its slots, and pays off debts. Rounds stop while no frame waits, so a long gap is charged as
// one sample.
static void account(uint32_t now_ms)
{
    uint32_t passed_ms = now_ms - accounted_ms, waited_ms = passed_ms < 2 * SAMPLE_MS ? passed_ms : SAMPLE_MS;
    if (passed_ms < SAMPLE_MS)
        return;
    accounted_ms = now_ms;
    for (struct host *one = hosts; one != hosts + used_cnt; one++) {
        owe(one, waited_ms * whit_slots_of(one->address));
        one->debt_ms = (uint16_t)(one->debt_ms > passed_ms / 8 ? one->debt_ms - passed_ms / 8 : 0);
    }
}

void fair_round(uint32_t now_ms)
{
    fair_round_cnt++;
    cursor = ring.first;
    newcomer_passed = false;
    account(now_ms);
}

static bool is_passed(uint16_t host)
{
    return hosts[host].round == fair_round_cnt;
}

static uint16_t first_of_ring(void)
{
    while (cursor != FAIR_NONE && is_passed(cursor))
        cursor = hosts[cursor].next;
    return cursor;
}

uint16_t fair_newcomer(uint32_t now_ms)
{
    uint16_t found = FAIR_NONE;
    if (ring.first == FAIR_NONE || now_ms - hosts[ring.first].since_ms < CROWDED_MS)
        return FAIR_NONE;
    for (uint16_t host = ring.first; host != FAIR_NONE; host = hosts[host].next)
        if (hosts[host].debt_ms <= DEBT_NONE_MS &&
            (found == FAIR_NONE || now_ms - hosts[host].began_ms <= now_ms - hosts[found].began_ms))
            found = host;
    return found;
}

uint16_t fair_next(uint32_t now_ms)
{
    uint16_t host = newcomers_turn && !newcomer_passed ? fair_newcomer(now_ms) : FAIR_NONE;
    return host != FAIR_NONE ? host : first_of_ring();
}

uint16_t fair_frame_to_offer(uint16_t host)
{
    const struct host *one = &hosts[host];
    return one->part_turn && one->part != FAIR_NONE ? one->part : one->frames.first;
}

void fair_pass(uint16_t host)
{
    hosts[host].round = fair_round_cnt;
    newcomer_passed = true;
}

void fair_taken(uint16_t host, uint32_t now_ms)
{
    struct host *one = &hosts[host];
    newcomers_turn = !newcomers_turn;
    one->part_turn = !one->part_turn;
    owe(one, TURN_MS);
    one->since_ms = now_ms;
    if (one->frames.first != FAIR_NONE && one->next != FAIR_NONE) {
        ring_remove(host);
        ring_append(host);
    }
}

uint16_t fair_fattest(uint16_t host)
{
    uint16_t most = 0;
    for (uint16_t other = 1; other < used_cnt; other++)
        if (hosts[other].kept > hosts[most].kept)
            most = other;
    return hosts[most].kept >= hosts[host].kept + 2 ? most : FAIR_NONE;
}
