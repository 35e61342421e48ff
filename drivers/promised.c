// SPDX-License-Identifier: MIT
// Frames of connections with a slot that follow the acknowledged octets. The driver keeps them until they are taken or
// their connection is reset, so the engine acknowledges them now. Without this, their peer's timer would measure the
// duration of the responses before them, and a lost segment would wait for it.
#include "promised.h"

#include "fair.h"
#include "frames.h"
#include "segment_frame.h"

#define PASSES_MAX 8    // passes over the frames of a connection, to find frames that follow each other
// above this number of kept frames, one may have to be dropped: nothing new is promised
#define PROMISED_MAX (FAIR_FRAMES / 2)

static bool is_promised[FAIR_FRAMES];

bool promised(uint16_t i)
{
    return is_promised[i];
}
void promised_new(uint16_t i)
{
    is_promised[i] = false;
}

// True if this frame has the octet at *next, which is to be acknowledged. It is promised then, and *next is behind it.
static bool reaches(uint16_t i, uint16_t kept_cnt, uint32_t *next)
{
    const uint8_t *frame = frames_octets(i);
    if ((!is_promised[i] && kept_cnt > PROMISED_MAX) || (int32_t)(begin_of(frame) - *next) > 0 ||
        (int32_t)(end_of(frame) - *next) <= 0)
        return false;
    is_promised[i] = true;
    *next = end_of(frame);
    return true;
}

void promised_more(uint16_t i, enum whit_taken said, uint16_t kept_cnt)
{
    uint32_t next, before;
    uint8_t passes = 0;
    bool follow = is_promised[i] && said == WHIT_TAKEN;    // the frames behind it follow
    if ((said != WHIT_WAITS && !follow) || !whit_input_next(&next) || (!follow && !reaches(i, kept_cnt, &next)))
        return;
    do {    // most came in order
        before = next;
        for (uint16_t at = frames_first(frames_octets(i)); at != FAIR_NONE; at = frames_next(at))
            (void)reaches(at, kept_cnt, &next);
    } while (next != before && ++passes < PASSES_MAX);
    whit_input_kept(next);
}

void promised_over(const uint8_t *frame)
{
    for (uint16_t i = frames_first(frame); i != FAIR_NONE; i = frames_next(i))
        is_promised[i] = false;
}

bool promised_lost_by(uint16_t i, const uint8_t *copy)
{
    return is_promised[i] && (int32_t)(end_of(copy) - end_of(frames_octets(i))) < 0;
}
