// SPDX-License-Identifier: MIT
// Frames that wait. A peer that sends one again replaces it; a peer that resets its connection takes its frames along.
#include "later.h"

#include <string.h>

#include "host.h"
#include "whit/engine.h"

#define FRAMES 1024
#define WAIT_MS 10000    // a peer is still there: it would have sent the frame again, or have reset the connection

static struct later {
    uint32_t since_ms;
    uint16_t len;
    uint16_t place;          // in `octets`
    enum whit_taken said;
} later[FRAMES];             // the first later_cnt of them wait, oldest first; the places of the others are free
static unsigned later_cnt;
static bool has_places;
static uint8_t octets[FRAMES][HOST_FRAME_MAX];

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

static enum whit_taken offer(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    whit_input(frame, (uint16_t)len, now_ms);
    return whit_input_end(now_ms);
}

// What the first frames that were offered again have shown.
struct shown {
    bool slots, room;    // there may be some
};

// A frame that needs a slot, or room for its request, waits for the one that came first. One ahead of a gap needs none: the frame
// that fills the gap may have taken the last slot.
static bool may_be_taken(enum whit_taken said, const struct shown *shown)
{
    return said == WHIT_WAITS || said == WHIT_AHEAD || (shown->slots && (said != WHIT_NO_ROOM || shown->room));
}

static bool still_waits(struct later *one, uint32_t now_ms, struct shown *shown)
{
    if (one->said == WHIT_TAKEN || now_ms - one->since_ms > WAIT_MS)
        return false;
    if (!may_be_taken(one->said, shown))
        return true;
    whit_input_again(one->said);
    one->said = offer(octets[one->place], one->len, now_ms);
    shown->slots &= one->said != WHIT_NO_SLOT;
    shown->room &= one->said != WHIT_NO_ROOM;
    return one->said != WHIT_TAKEN;
}

void later_offer(uint32_t now_ms)
{
    unsigned kept = 0;
    struct shown shown = {true, true};
    for (unsigned i = 0; i < later_cnt; i++) {
        struct later one = later[i];
        if (!still_waits(&one, now_ms, &shown)) {
            later[i] = one;
            continue;
        }
        later[i] = later[kept];
        later[kept++] = one;
    }
    later_cnt = kept;
}

// The index of an earlier copy of this frame, or later_cnt.
static unsigned copy_of(const uint8_t *frame)
{
    unsigned i = 0;
    while (i < later_cnt && !(of_one_connection(octets[later[i].place], frame) && memcmp(octets[later[i].place] + SEQUENCE, frame + SEQUENCE, 4) == 0))
        i++;
    return i;
}

static void keep(const uint8_t *frame, size_t len, uint32_t now_ms, enum whit_taken said)
{
    for (unsigned i = 0; !has_places && i < FRAMES; i++)
        later[i].place = (uint16_t)i;
    has_places = true;
    unsigned i = copy_of(frame);
    if (i == FRAMES)
        return;    // the sender's retransmission brings it
    if (i == later_cnt)
        later_cnt++;
    later[i].since_ms = now_ms;
    later[i].len = (uint16_t)len;
    later[i].said = said;
    memcpy(octets[later[i].place], frame, len);
}

static void forget(const uint8_t *reset)
{
    for (unsigned i = 0; i < later_cnt; i++)
        if (of_one_connection(octets[later[i].place], reset))
            later[i].said = WHIT_TAKEN;
}

// Of a frame that was taken. An acknowledgment without data may have the same number.
static void forget_copy(const uint8_t *frame, size_t len)
{
    unsigned i = copy_of(frame);
    if (i < later_cnt && len >= later[i].len)
        later[i].said = WHIT_TAKEN;
}

void later_receive(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    if (later_cnt != 0)
        later_offer(now_ms);
    enum whit_taken said = offer(frame, len, now_ms);
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
    return later_cnt != 0;
}
