// SPDX-License-Identifier: MIT
// Keeps frames that the engine did not take, and offers them again. A retransmission replaces its kept copy; a reset
// drops the frames of its connection. Frames that wait for a slot or for room have turns by host (fair.c), whole
// requests before others. The driver has their requests acknowledged, then probes the peers, and resets the connections
// of silent ones (whit_input_held()).
#include "later.h"

#include <limits.h>

#include "frames.h"
#include "offer.h"
#include "priority_tag.h"
#include "promised.h"
#include "segment_frame.h"

// a request that waits for this long is acknowledged, and then twice more: a peer's timer takes at least 200 ms
#define TELL_MS 60
#define TELLS 3
#define ASK_MS 1000      // then its peer is probed at this interval
#define WAIT_MS 10000    // a peer is dropped after this silence: a live one would have retransmitted, answered or reset
// ... this, once its octets are acknowledged: it has nothing to retransmit, and is not probed
#define PROMISED_MS 30000
#define PATIENCE 3              // ... or this many times its silence before its last copy: peers double their timers
#define SILENT_MAX_MS 120000    // longest silence that counts for PATIENCE: peers' timers end there
#define LONG 554                // octets of a frame: it fills RFC 9293's default MSS of 536, less options
#define NONE FAIR_NONE

static struct later {
    uint32_t since_ms;    // last frame from its peer
    uint32_t wait_ms;     // time for which the peer may be silent after that
    // time of the next acknowledgment or probe to its peer, if the frame waits for a slot or for room
    uint32_t tell_ms;
    uint32_t seq;
    uint16_t len;
    uint16_t host;      // fair_host()
    uint16_t unused;    // a free place: the next free one
    enum whit_taken said;
    uint8_t told;    // acknowledgments sent: from the first on, the peer does not retransmit
    bool whole;      // all of a request or hello has come
    enum { MOVES, RESTS, LISTENS_WHOLE, LISTENS } list;    // moving, resting, or that of its host
} later[FAIR_FRAMES];
static struct fair_list moving = {NONE, NONE};    // frames of connections that may have moved, oldest first
// frames for which octets are missing, until a frame of their connection is taken
static struct fair_list resting = {NONE, NONE};
// places that were used before; how many were used at all, and are now
static uint16_t unused = NONE, used_cnt, kept_cnt;
static unsigned free_slots;      // at most: a frame that finds none sets 0, and each later frame can free one
static uint32_t tell_next_ms;    // the earliest tell_ms of all
static uint32_t swept_ms;        // last sweep of idle frames

static bool is_past(uint32_t time_ms, uint32_t now_ms)
{
    return (int32_t)(now_ms - time_ms) >= 0;
}

static bool is_silent(const struct later *one, uint32_t now_ms)
{
    return is_past(one->since_ms +
                       (promised((uint16_t)(one - later)) && one->wait_ms < PROMISED_MS ? PROMISED_MS : one->wait_ms),
                   now_ms);
}

// True if the engine can take it only after another frame of its connection.
static bool lacks_octets(const struct later *one)
{
    return one->said == WHIT_AHEAD && one->told == 0;
}

// Returns its list. A long segment followed by another may begin a request that has arrived whole.
static uint8_t list_of(uint16_t i)
{
    const struct later *one = &later[i];
    if (!wants(one->said))
        return lacks_octets(one) ? RESTS : MOVES;
    return one->whole || (one->len >= LONG && frames_next(i) != NONE) ? LISTENS_WHOLE : LISTENS;
}

static void put_into_list(uint16_t i, uint32_t now_ms)
{
    later[i].list = list_of(i);
    if (later[i].list >= LISTENS_WHOLE)
        fair_wait(later[i].host, i, later[i].list == LISTENS_WHOLE, now_ms);
    else
        fair_append(later[i].list == RESTS ? &resting : &moving, i);
}

static void take_from_list(uint16_t i)
{
    if (later[i].list >= LISTENS_WHOLE)
        fair_leave(later[i].host, i);
    else
        fair_remove(later[i].list == RESTS ? &resting : &moving, i);
}

// Moves the connection's resting frames to `moving`: the engine took one of its frames, and they may follow it.
static void wake(const uint8_t *taken)
{
    for (uint16_t i = frames_first(taken); i != NONE; i = frames_next(i)) {
        if (later[i].list != RESTS)
            continue;
        take_from_list(i);
        later[i].list = MOVES;
        fair_append(&moving, i);
    }
}

static void drop(uint16_t i)
{
    frames_remove(i);
    take_from_list(i);
    fair_let_go(later[i].host);
    kept_cnt--;
    later[i].unused = unused;
    unused = i;
}

// Offers a frame once more, and puts it into its list. how: message of the engine to its peer; 0: none.
static void offer_kept(uint16_t i, enum whit_held how, uint32_t now_ms)
{
    struct later *one = &later[i];
    enum whit_taken before = one->said;
    whit_input_again(before);
    if (how != 0)
        whit_input_held(how);
    if (how == WHIT_LET_GO)
        promised_over(frames_octets(i));
    one->said = offer(frames_octets(i), one->len, now_ms);
    one->whole = whit_input_whole();
    if (one->said == WHIT_NO_SLOT)
        free_slots = 0;
    else if (before == WHIT_NO_SLOT)
        free_slots -= free_slots != 0;
    if (has_moved(one->said))
        wake(frames_octets(i));
    promised_more(i, one->said, kept_cnt);
    if (one->said == WHIT_TAKEN) {
        drop(i);
    } else if (one->list != list_of(i)) {
        take_from_list(i);
        put_into_list(i, now_ms);
    }
}

// Gives a host one turn: offers its frames until one is taken. After a request found no room, no other request is
// offered in this round; after a hello exceeded the host's handshakes, no other hello.
static void take_turn(uint16_t host, bool *room, uint32_t now_ms)
{
    bool crowded = false;
    uint16_t begin = fair_frame_to_offer(host), i = begin;
    do {
        struct later *one = &later[i];
        uint16_t next = fair_after(i);
        i = next != NONE ? next : fair_frames(host)->first;
        if ((one->said == WHIT_NO_ROOM && !*room) || (one->said == WHIT_NO_TURN && crowded))
            continue;
        offer_kept((uint16_t)(one - later), (enum whit_held)0, now_ms);
        if (!wants(one->said)) {
            fair_taken(host, now_ms);
            return;
        }
        *room &= one->said != WHIT_NO_ROOM;
        crowded |= one->said == WHIT_NO_TURN;
    } while (i != begin && free_slots != 0);
    if (free_slots != 0)
        fair_pass(host);
}

static void take_turns(uint32_t now_ms)
{
    bool room = true;
    fair_round(now_ms);
    for (uint16_t host; free_slots != 0 && (host = fair_next(now_ms)) != NONE;)
        take_turn(host, &room, now_ms);
    uint16_t newcomer = free_slots == 0 || !room ? fair_newcomer(now_ms) : NONE;
    if (newcomer == NONE)
        return;
    uint16_t i = fair_frames(newcomer)->first;
    offer_kept(i, WHIT_URGE, now_ms);
    if (later[i].said == WHIT_NO_ROOM)    // there may be some now
        offer_kept(i, (enum whit_held)0, now_ms);
    if (!wants(later[i].said))
        fair_taken(newcomer, now_ms);
}

static void offer_moving(uint32_t now_ms)
{
    for (uint16_t i = moving.first, next; i != NONE; i = next) {
        next = fair_after(i);
        // behind a long response it waits on
        if (later[i].told == 0 && !promised(i) && later[i].said != WHIT_WAITS && is_silent(&later[i], now_ms))
            drop(i);
        else
            offer_kept(i, (enum whit_held)0, now_ms);
    }
}

// Drops idle frames whose peers are silent. It offers none of them.
static void sweep(uint32_t now_ms)
{
    for (uint16_t i = resting.first, next; i != NONE && now_ms != swept_ms; i = next) {
        next = fair_after(i);
        if (!promised(i) && is_silent(&later[i], now_ms))
            drop(i);
    }
    swept_ms = now_ms;
}

static void tell(uint16_t i, uint32_t now_ms)
{
    struct later *one = &later[i];
    enum whit_held how = one->told < TELLS ? WHIT_HOLD : is_silent(one, now_ms) ? WHIT_LET_GO : WHIT_ASK;
    offer_kept(i, how, now_ms);
    if (!wants(one->said))
        return;
    if (how == WHIT_LET_GO) {
        drop(i);
        return;
    }
    one->told = (uint8_t)(one->told + (one->told < TELLS));
    one->tell_ms = now_ms + (one->told < TELLS ? TELL_MS : ASK_MS);
}

static void tell_all(uint32_t now_ms)
{
    if (!fair_any() || !is_past(tell_next_ms, now_ms))
        return;
    tell_next_ms = now_ms + ASK_MS;
    for (uint16_t host = fair_first(), other; host != NONE; host = other) {
        other = fair_second(host);
        for (uint16_t i = fair_frames(host)->first, next; i != NONE; i = next) {
            next = fair_after(i);
            uint32_t tell_ms = later[i].tell_ms;
            if (is_past(tell_ms, now_ms)) {
                tell(i, now_ms);
                tell_ms = later[i].tell_ms;
            }
            if (wants(later[i].said) && !is_past(tell_next_ms, tell_ms))
                tell_next_ms = tell_ms;
        }
    }
}

static void offer_again(uint32_t now_ms)
{
    if (fair_any() && free_slots != 0)
        take_turns(now_ms);
    offer_moving(now_ms);
}

void later_offer(uint32_t now_ms)
{
    free_slots = UINT_MAX;    // timers and output may have freed any
    offer_again(now_ms);
    sweep(now_ms);
    tell_all(now_ms);
}

// An earlier copy of this frame, or NONE.
static uint16_t copy_of(const uint8_t *frame)
{
    uint32_t seq = seq_of(frame);
    uint16_t i = frames_first(frame);
    while (i != NONE && later[i].seq != seq)
        i = frames_next(i);
    return i;
}

// Returns the newest frame of this host in the list, promised or not, or NONE.
static uint16_t newest(const struct fair_list *list, uint16_t host, bool owed)
{
    uint16_t found = NONE;
    for (uint16_t one = list->first; one != NONE; one = fair_after(one))
        if (later[one].host == host && promised(one) == owed)
            found = one;
    return found;
}

// Lets go a frame of the host that has most, which has two more than this one at least.
static bool make_place(uint16_t host, uint32_t now_ms)
{
    uint16_t fattest = fair_fattest(host);
    if (fattest == NONE)
        return false;
    uint16_t i = fair_frames(fattest)->last;
    if (i == NONE)
        i = newest(&resting, fattest, false);
    if (i == NONE)
        i = newest(&moving, fattest, false);
    if (i == NONE && (i = newest(&moving, fattest, true)) == NONE)
        return false;
    if (promised(i) || (later[i].told != 0 && later[i].list >= LISTENS_WHOLE))    // its peer waits in silence
        offer_kept(i, WHIT_LET_GO, now_ms);
    if (unused == NONE)
        drop(i);
    return true;
}

// Returns a place for the frame; NONE: none is free.
static uint16_t new_place(const uint8_t *frame, uint32_t now_ms)
{
    bool is_full = unused == NONE && used_cnt == FAIR_FRAMES;
    if (is_full && !make_place(fair_host(address_of(frame)), now_ms))
        return NONE;    // the sender's retransmission brings it
    uint16_t i = unused;
    if (i != NONE)
        unused = later[i].unused;
    else
        i = used_cnt++;
    later[i].told = 0;
    later[i].wait_ms = WAIT_MS;
    later[i].host = fair_host(address_of(frame));
    fair_keep(later[i].host);
    promised_new(i);
    frames_add(i, frame);
    kept_cnt++;
    return i;
}

static void keep(const uint8_t *frame, size_t len, uint32_t now_ms, enum whit_taken said)
{
    bool whole = whit_input_whole();    // before others are offered, for its place
    uint16_t i = copy_of(frame);
    bool is_new = i == NONE;
    uint32_t silent_ms = is_new ? 0 : now_ms - later[i].since_ms;
    if (is_new)
        i = new_place(frame, now_ms);
    if (i == NONE)
        return;
    struct later *one = &later[i];
    if (silent_ms > SILENT_MAX_MS)
        silent_ms = SILENT_MAX_MS;
    if (one->wait_ms < PATIENCE * silent_ms)
        one->wait_ms = PATIENCE * silent_ms;
    one->tell_ms = now_ms + (one->told != 0 ? 0 : TELL_MS);
    one->told = one->told != 0;    // it retransmits, so it missed the acknowledgment
    one->since_ms = now_ms;
    one->seq = seq_of(frame);
    one->said = said;
    one->whole = whole;
    if (!promised_lost_by(i, frame))
        frames_write(i, frame, one->len = (uint16_t)len);
    promised_more(i, said, kept_cnt);
    if (wants(one->said) && (!fair_any() || !is_past(tell_next_ms, one->tell_ms)))
        tell_next_ms = one->tell_ms;
    if (!is_new && one->list == list_of(i))
        return;
    if (!is_new)
        take_from_list(i);
    put_into_list(i, now_ms);
}

// Drops the connection's frames, except promised ones: these are offered again, as the reset may be forged.
static void forget(const uint8_t *reset)
{
    for (uint16_t i = frames_first(reset), next; i != NONE; i = next) {
        next = frames_next(i);
        if (!promised(i))
            drop(i);
    }
}

// Drops the kept copy of a frame. An acknowledgment without data has the same number as the frame, and drops nothing.
static void forget_copy(const uint8_t *frame, size_t len)
{
    uint16_t i = copy_of(frame);
    if (i != NONE && !promised(i) && len >= later[i].len)
        drop(i);
}

// Notes that the connection's peer is alive.
static void heard(const uint8_t *frame, uint32_t now_ms)
{
    for (uint16_t i = frames_first(frame); i != NONE; i = frames_next(i))
        if (later[i].told != 0 || promised(i))
            later[i].since_ms = now_ms;
}

void later_receive(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    frame = without_priority_tag(frame, &len);
    if (kept_cnt != 0)
        offer_again(now_ms);
    enum whit_taken said = offer(frame, len, now_ms);
    free_slots = said == WHIT_NO_SLOT ? 0 : free_slots + (free_slots != UINT_MAX);
    if (!is_segment(frame, len))
        return;
    if (is_reset(frame)) {
        forget(frame);
        return;
    }
    if (said != WHIT_TAKEN && len <= HOST_FRAME_MAX)
        keep(frame, len, now_ms, said);
    else
        forget_copy(frame, len);
    if (has_moved(said))
        wake(frame);
    heard(frame, now_ms);
}

void later_forget(void)
{
    for (uint16_t i; (i = frames_any()) != NONE;)
        drop(i);
}

bool later_waits(void)
{
    return kept_cnt != 0;
}
