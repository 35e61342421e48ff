// SPDX-License-Identifier: MIT
// Frames that wait. A peer that sends one again replaces it; a peer that resets its connection takes its frames along. A peer whose
// request waits for a slot or for room is told that it is here, asked whether it is still there, and at last let go (whit_input_held()).
#include "later.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "host.h"
#include "whit/engine.h"

#define FRAMES 1024
#define TELL_MS 60       // a request that waits for so long is acknowledged, and then twice more: its peer's timer takes 200 ms at least
#define TELLS 3
#define ASK_MS 1000      // since then its peer is asked so often whether it is still there
#define WAIT_MS 10000    // a peer that lives would have sent the frame again, answered, or reset the connection,
#define PATIENCE 3       // ... or has doubled its timer: so many times as long as it was silent before its last copy,
#define SILENT_MAX_MS 120000    // ... at which timers end
#define NONE FRAMES

static struct later {
    uint32_t since_ms;       // when its peer was heard of last
    uint32_t wait_ms;        // for so long it may be silent then
    uint32_t tell_ms;        // when its peer is told next, if it waits for a slot or for room
    uint32_t seq;
    uint16_t len;
    uint16_t next;           // in its list
    enum whit_taken said;
    uint8_t told;            // how often that it is here: it is not sent again
} later[FRAMES];
static uint8_t octets[FRAMES][HOST_FRAME_MAX];
static uint16_t first = NONE, *end = &first;    // those that wait, oldest first; the link after the last of them
static uint16_t unused = NONE, used_cnt;        // places that were used before, and how many were used at all
static uint16_t waiting_cnt[1 << 12];           // frames that wait, by the last bits of their peer's port: mostly none of a connection
static unsigned free_slots;    // at most, since a frame found none: each frame after that can have freed one
static bool all_want_slots;    // every frame that waits
static uint32_t tell_next_ms;  // the first of all that are to be told something
static bool any_told;          // may be one was told

// Of a TCP segment in an Ethernet frame, without IP options.
#define CONNECTION 26        // addresses and ports
#define CONNECTION_LEN 12
#define PORT 34              // the peer's
#define SEQUENCE 38
#define FLAGS 47
#define IS_RST 4

static uint16_t *waiting_of(const uint8_t *frame)
{
    return &waiting_cnt[(frame[PORT] << 8 | frame[PORT + 1]) % (sizeof waiting_cnt / sizeof *waiting_cnt)];
}

static bool is_segment(const uint8_t *frame, size_t len)
{
    return len > FLAGS && frame[12] == 8 && frame[13] == 0 && frame[14] == 0x45 && frame[23] == 6;
}

static bool of_one_connection(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a + CONNECTION, b + CONNECTION, CONNECTION_LEN) == 0;
}

// Only compared.
static uint32_t seq_of(const uint8_t *frame)
{
    uint32_t seq;
    memcpy(&seq, frame + SEQUENCE, sizeof seq);
    return seq;
}

static enum whit_taken offer(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    enum whit_taken said;
    do {    // each turn takes some octets
        whit_input(frame, (uint16_t)len, now_ms);
        said = whit_input_end(now_ms);
        if (said == WHIT_PART)
            whit_input_again(said);
    } while (said == WHIT_PART);
    return said;
}

// A frame that needs a slot, or room for its request, waits for the one that came first. One ahead of a gap needs none: the frame
// that fills the gap may have taken the last slot.
static bool may_be_taken(enum whit_taken said, bool room)
{
    return said == WHIT_WAITS || said == WHIT_AHEAD || (free_slots != 0 && (said != WHIT_NO_ROOM || room));
}

static bool wants(const struct later *one)
{
    return one->said == WHIT_NO_SLOT || one->said == WHIT_NO_ROOM;
}

static bool is_past(uint32_t time_ms, uint32_t now_ms)
{
    return (int32_t)(now_ms - time_ms) >= 0;
}

// What its peer is told now, if it still waits for a slot or for room; 0: nothing.
static enum whit_held telling(const struct later *one, uint32_t now_ms)
{
    if (!wants(one) || !is_past(one->tell_ms, now_ms))
        return (enum whit_held)0;
    if (one->told < TELLS)
        return WHIT_HOLD;
    return is_past(one->since_ms + one->wait_ms, now_ms) ? WHIT_LET_GO : WHIT_ASK;
}

static void offered(struct later *one, enum whit_taken before, bool told, uint32_t now_ms, bool *room)
{
    if (one->said == WHIT_NO_SLOT)
        free_slots = 0;
    else if (before == WHIT_NO_SLOT)
        free_slots -= free_slots != 0;
    *room &= one->said != WHIT_NO_ROOM;
    if (told && wants(one)) {
        one->told = (uint8_t)(one->told + (one->told < TELLS));
        one->tell_ms = now_ms + (one->told < TELLS ? TELL_MS : ASK_MS);
        any_told = true;
    }
}

static bool still_waits(uint16_t i, uint32_t now_ms, bool *room)
{
    struct later *one = &later[i];
    enum whit_taken before = one->said;
    enum whit_held how = telling(one, now_ms);
    if (before == WHIT_TAKEN || (one->told == 0 && is_past(one->since_ms + one->wait_ms, now_ms)))
        return false;
    if (how == 0 && !may_be_taken(before, *room))
        return true;
    whit_input_again(before);
    if (how != 0)
        whit_input_held(how);
    one->said = offer(octets[i], one->len, now_ms);
    offered(one, before, how != 0, now_ms, room);
    return one->said != WHIT_TAKEN;
}

static void offer_again(uint32_t now_ms)
{
    uint16_t *link = &first;
    bool room = true, want_slots = true, tells = first != NONE && is_past(tell_next_ms, now_ms);
    if (tells)
        tell_next_ms = now_ms + ASK_MS;
    while (*link != NONE && (free_slots != 0 || !all_want_slots || tells)) {
        uint16_t i = *link;
        if (still_waits(i, now_ms, &room)) {
            if (later[i].said != WHIT_NO_SLOT)
                want_slots = all_want_slots = false;
            if (!is_past(tell_next_ms, later[i].tell_ms))
                tell_next_ms = later[i].tell_ms;
            link = &later[i].next;
            continue;
        }
        *link = later[i].next;
        --*waiting_of(octets[i]);
        later[i].next = unused;
        unused = i;
    }
    if (*link == NONE) {
        end = link;
        all_want_slots = want_slots;
    }
}

void later_offer(uint32_t now_ms)
{
    free_slots = UINT_MAX;    // timers and output may have freed any
    offer_again(now_ms);
}

// An earlier copy of this frame, or NONE.
static uint16_t copy_of(const uint8_t *frame)
{
    uint32_t seq = seq_of(frame);
    uint16_t i = *waiting_of(frame) != 0 ? first : NONE;
    while (i != NONE && !(later[i].seq == seq && of_one_connection(octets[i], frame)))
        i = later[i].next;
    return i;
}

// NONE: none is free.
static uint16_t new_last(const uint8_t *frame)
{
    uint16_t i = unused;
    if (i != NONE)
        unused = later[i].next;
    else if (used_cnt < FRAMES)
        i = used_cnt++;
    else
        return NONE;    // the sender's retransmission brings it
    later[i].next = NONE;
    later[i].told = 0;
    later[i].wait_ms = WAIT_MS;
    *end = i;
    end = &later[i].next;
    ++*waiting_of(frame);
    return i;
}

static void keep(const uint8_t *frame, size_t len, uint32_t now_ms, enum whit_taken said)
{
    uint16_t i = copy_of(frame);
    uint32_t silent_ms = i != NONE ? now_ms - later[i].since_ms : 0;
    if (i == NONE)
        i = new_last(frame);
    if (i == NONE)
        return;
    if (silent_ms > SILENT_MAX_MS)
        silent_ms = SILENT_MAX_MS;
    if (later[i].wait_ms < PATIENCE * silent_ms)
        later[i].wait_ms = PATIENCE * silent_ms;
    later[i].tell_ms = now_ms + (later[i].told != 0 ? 0 : TELL_MS);
    later[i].told = later[i].told != 0;    // it has not heard it
    if ((first == i && later[i].next == NONE) || !is_past(tell_next_ms, later[i].tell_ms))
        tell_next_ms = later[i].tell_ms;
    later[i].since_ms = now_ms;
    later[i].seq = seq_of(frame);
    later[i].len = (uint16_t)len;
    later[i].said = said;
    all_want_slots &= said == WHIT_NO_SLOT;
    memcpy(octets[i], frame, len);
}

static void drop(uint16_t i)
{
    later[i].said = WHIT_TAKEN;
    all_want_slots = false;
}

static void forget(const uint8_t *reset)
{
    for (uint16_t i = first; i != NONE; i = later[i].next)
        if (of_one_connection(octets[i], reset))
            drop(i);
}

// Of a frame that was taken. An acknowledgment without data may have the same number.
static void forget_copy(const uint8_t *frame, size_t len)
{
    uint16_t i = copy_of(frame);
    if (i != NONE && len >= later[i].len)
        drop(i);
}

// Something came of this connection: its peer is still there.
static void heard(const uint8_t *frame, uint32_t now_ms)
{
    any_told = any_told && first != NONE;
    for (uint16_t i = any_told ? first : NONE; i != NONE; i = later[i].next)
        if (later[i].told != 0 && of_one_connection(octets[i], frame))
            later[i].since_ms = now_ms;
}

void later_receive(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    if (first != NONE && (free_slots != 0 || !all_want_slots))
        offer_again(now_ms);
    enum whit_taken said = offer(frame, len, now_ms);
    free_slots = said == WHIT_NO_SLOT ? 0 : free_slots + (free_slots != UINT_MAX);
    if (!is_segment(frame, len))
        return;
    if ((frame[FLAGS] & IS_RST) != 0)
        forget(frame);
    else if (said != WHIT_TAKEN)
        keep(frame, len, now_ms, said);
    else
        forget_copy(frame, len);
    heard(frame, now_ms);
}

bool later_waits(void)
{
    return first != NONE;
}
