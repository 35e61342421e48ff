// SPDX-License-Identifier: MIT
#include "frames.h"

#include <string.h>

#include "host.h"
#include "segment_frame.h"

#define CHAINS 4096    // lists of frames by connection, a power of two

static uint8_t octets[FAIR_FRAMES][HOST_FRAME_MAX];
static uint16_t after[FAIR_FRAMES];    // 1 + the next frame of its list; 0: none
static uint16_t chains[CHAINS];        // 1 + the first frame; 0: none

const uint8_t *frames_octets(uint16_t i)
{
    return octets[i];
}
void frames_write(uint16_t i, const uint8_t *frame, size_t len)
{
    memcpy(octets[i], frame, len);
}

static uint16_t *chain_of(const uint8_t *frame)
{
    return &chains[((address_of(frame) * UINT32_C(0x9e3779b1) >> 20) ^ port_of(frame)) % CHAINS];
}

void frames_add(uint16_t i, const uint8_t *frame)
{
    uint16_t *last = chain_of(frame);
    while (*last != 0)
        last = &after[*last - 1];
    *last = (uint16_t)(i + 1);
    after[i] = 0;
}

void frames_remove(uint16_t i)
{
    uint16_t *at = chain_of(octets[i]);
    while (*at != i + 1)
        at = &after[*at - 1];
    *at = after[i];
}

static uint16_t of_connection(const uint8_t *frame, uint16_t at)
{
    while (at != 0 && !of_one_connection(octets[at - 1], frame))
        at = after[at - 1];
    return at != 0 ? (uint16_t)(at - 1) : FAIR_NONE;
}

uint16_t frames_first(const uint8_t *frame)
{
    return of_connection(frame, *chain_of(frame));
}
uint16_t frames_next(uint16_t i)
{
    return of_connection(octets[i], after[i]);
}

uint16_t frames_any(void)
{
    for (const uint16_t *chain = chains; chain != chains + CHAINS; chain++)
        if (*chain != 0)
            return (uint16_t)(*chain - 1);
    return FAIR_NONE;
}
