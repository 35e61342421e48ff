// SPDX-License-Identifier: MIT
// Frames that wait. A peer that sends one again replaces it; a peer that resets its connection takes its frames along. Those that wait
// for a slot or for room have turns by host (fair.c), whole requests before others. Their peers are told that the request is here, asked whether they are still
// there, and at last let go (whit_input_held()).
#include "later.h"

#include <limits.h>

#include "frames.h"
#include "offer.h"
#include "priority_tag.h"
#include "promised.h"
#include "segment_frame.h"

#define TELL_MS 60       // a request that waits for so long is acknowledged, and then twice more: its peer's timer takes 200 ms at least
#define TELLS 3
#define ASK_MS 1000      // since then its peer is asked so often whether it is still there
#define WAIT_MS 10000    // a peer that lives would have sent the frame again, answered, or reset the connection,
#define PROMISED_MS 30000    // ... or is silent since its octets were acknowledged, and cannot be asked,
#define PATIENCE 3       // ... or has doubled its timer: so many times as long as it was silent before its last copy,
#define SILENT_MAX_MS 120000    // ... at which timers end
#define LONG 554         // octets of a frame: RFC 9293's default MSS of 536 is filled but for options and some
#define NONE FAIR_NONE

static struct later {
    uint32_t since_ms;       // when its peer was heard of last
    uint32_t wait_ms;        // for so long it may be silent then
    uint32_t tell_ms;        // when its peer is told next, if it waits for a slot or for room
    uint32_t seq;
    uint16_t len;
    uint16_t host;           // fair_host()
    uint16_t unused;         // of one that is free: the next of these
    enum whit_taken said;
    uint8_t told;            // how often that it is here: it is not sent again
    bool whole;              // all of a request or hello has come
    enum { MOVES, RESTS, LISTENS_WHOLE, LISTENS } list;    // moving, resting, or that of its host
} later[FAIR_FRAMES];
static struct fair_list moving = {NONE, NONE};  // frames of connections that may have moved, oldest first
static struct fair_list resting = {NONE, NONE}; // frames for which octets are missing, until a frame of their connection is taken
static uint16_t unused = NONE, used_cnt, kept_cnt;    // places that were used before; how many were used at all, and are now
static unsigned free_slots;    // at most, since a frame found none: each frame after that can have freed one
static uint32_t tell_next_ms;  // the first of all that are to be told something
static uint32_t swept_ms;      // when frames that rest were swept last

static bool is_past(uint32_t time_ms, uint32_t now_ms)
{
    return (int32_t)(now_ms - time_ms) >= 0;
}

static bool is_silent(const struct later *one, uint32_t now_ms)
{
    return is_past(one->since_ms + (promised((uint16_t)(one - later)) && one->wait_ms < PROMISED_MS ? PROMISED_MS : one->wait_ms), now_ms);
}

// True if it can be taken only after another frame of its connection.
static bool lacks_octets(const struct later *one)
{
    return one->said == WHIT_AHEAD && one->told == 0;
}

// The list where it belongs. A long segment that another one follows may be the beginning of a request that has come whole.
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

// A frame of this connection was taken: those that rest may follow it.
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

// Offers a frame once more, and puts it where it belongs then. how: what its peer is told, or 0.
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

// One turn of a host: its oldest frame that can be taken. A request that finds no room waits for the one that came first, and so does
// a hello while its host has as many handshakes as it may.
static void take_turn(uint16_t host, bool *room, uint32_t now_ms)
{
    bool crowded = false;
    uint16_t begin = fair_turn(host), i = begin;
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
        if (later[i].told == 0 && !promised(i) && later[i].said != WHIT_WAITS && is_silent(&later[i], now_ms))    // behind a long response it waits on
            drop(i);
        else
            offer_kept(i, (enum whit_held)0, now_ms);
    }
}

// Lets go frames that rest and whose peers are silent. Offers none of them.
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

// NONE: none is free.
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
    one->told = one->told != 0;    // it has not heard it
    one->since_ms = now_ms;
    one->seq = seq_of(frame);
    one->said = said;
    one->whole = whole;
    if (!promised_longer(i, frame))
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

// What is promised is offered again: a reset that is not its peer's ends nothing.
static void forget(const uint8_t *reset)
{
    for (uint16_t i = frames_first(reset), next; i != NONE; i = next) {
        next = frames_next(i);
        if (!promised(i))
            drop(i);
    }
}

// Of a frame that was taken, or dropped. An acknowledgment without data may have the same number.
static void forget_copy(const uint8_t *frame, size_t len)
{
    uint16_t i = copy_of(frame);
    if (i != NONE && !promised(i) && len >= later[i].len)
        drop(i);
}

// Something came of this connection: its peer is still there.
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
