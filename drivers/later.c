// SPDX-License-Identifier: MIT
// Frames that wait. A peer that sends one again replaces it; a peer that resets its connection takes its frames along.
#include "later.h"

#include <limits.h>
#include <string.h>

#include "host.h"
#include "whit/engine.h"

#define FRAMES 1024
#define WAIT_MS 10000    // a peer is still there: it would have sent the frame again, or have reset the connection
#define NONE FRAMES

static struct later {
    uint32_t since_ms;
    uint32_t seq;
    uint16_t len;
    uint16_t next;           // in its list
    enum whit_taken said;
} later[FRAMES];
static uint8_t octets[FRAMES][HOST_FRAME_MAX];
static uint16_t first = NONE, *end = &first;    // those that wait, oldest first; the link after the last of them
static uint16_t unused = NONE, used_cnt;        // places that were used before, and how many were used at all
static unsigned free_slots;    // at most, since a frame found none: each frame after that can have freed one
static bool all_want_slots;    // every frame that waits

// Of a TCP segment in an Ethernet frame, without IP options.
#define CONNECTION 26        // addresses and ports
#define CONNECTION_LEN 12
#define SEQUENCE 38
#define FLAGS 47
#define IS_RST 4

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

static bool still_waits(uint16_t i, uint32_t now_ms, bool *room)
{
    struct later *one = &later[i];
    enum whit_taken before = one->said;
    if (before == WHIT_TAKEN || now_ms - one->since_ms > WAIT_MS)
        return false;
    if (!may_be_taken(before, *room))
        return true;
    whit_input_again(before);
    one->said = offer(octets[i], one->len, now_ms);
    if (one->said == WHIT_NO_SLOT)
        free_slots = 0;
    else if (before == WHIT_NO_SLOT)
        free_slots--;
    *room &= one->said != WHIT_NO_ROOM;
    return one->said != WHIT_TAKEN;
}

static void offer_again(uint32_t now_ms)
{
    uint16_t *link = &first;
    bool room = true, want_slots = true;
    while (*link != NONE && (free_slots != 0 || !all_want_slots)) {
        uint16_t i = *link;
        if (still_waits(i, now_ms, &room)) {
            if (later[i].said != WHIT_NO_SLOT)
                want_slots = all_want_slots = false;
            link = &later[i].next;
            continue;
        }
        *link = later[i].next;
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
    uint16_t i = first;
    while (i != NONE && !(later[i].seq == seq && of_one_connection(octets[i], frame)))
        i = later[i].next;
    return i;
}

// NONE: none is free.
static uint16_t new_last(void)
{
    uint16_t i = unused;
    if (i != NONE)
        unused = later[i].next;
    else if (used_cnt < FRAMES)
        i = used_cnt++;
    else
        return NONE;    // the sender's retransmission brings it
    later[i].next = NONE;
    *end = i;
    end = &later[i].next;
    return i;
}

static void keep(const uint8_t *frame, size_t len, uint32_t now_ms, enum whit_taken said)
{
    uint16_t i = copy_of(frame);
    if (i == NONE)
        i = new_last();
    if (i == NONE)
        return;
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
}

bool later_waits(void)
{
    return first != NONE;
}
