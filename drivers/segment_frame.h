// SPDX-License-Identifier: MIT
// Fields of a TCP segment in an Ethernet frame, without IP options.
#ifndef WHIT_DRIVER_SEGMENT_FRAME_H
#define WHIT_DRIVER_SEGMENT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Offsets in octets.
#define SEGMENT_CONNECTION 26    // addresses and ports
#define SEGMENT_CONNECTION_LEN 12
#define SEGMENT_PORT 34    // the peer's
#define SEGMENT_SEQUENCE 38
#define SEGMENT_DATA_OFFSET 46
#define SEGMENT_FLAGS 47
#define SEGMENT_RST 4

static inline uint32_t address_of(const uint8_t *frame)
{
    const uint8_t *at = frame + SEGMENT_CONNECTION;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline bool is_segment(const uint8_t *frame, size_t len)
{
    return len > SEGMENT_FLAGS && frame[12] == 8 && frame[13] == 0 && frame[14] == 0x45 && frame[23] == 6;
}

static inline bool of_one_connection(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a + SEGMENT_CONNECTION, b + SEGMENT_CONNECTION, SEGMENT_CONNECTION_LEN) == 0;
}

// Returns its octets as they lie: only to be compared.
static inline uint32_t seq_of(const uint8_t *frame)
{
    uint32_t seq;
    memcpy(&seq, frame + SEGMENT_SEQUENCE, sizeof seq);
    return seq;
}

// Returns the sequence number, and the one behind its data, of a segment that the engine found valid. In host order.
static inline uint32_t begin_of(const uint8_t *frame)
{
    const uint8_t *at = frame + SEGMENT_SEQUENCE;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint32_t end_of(const uint8_t *frame)
{
    uint32_t total = (uint32_t)(frame[16] << 8 | frame[17]);    // total length of IPv4, whose header has 20 octets
    return begin_of(frame) + total - 20 - (frame[SEGMENT_DATA_OFFSET] >> 4) * 4u;
}

static inline uint32_t port_of(const uint8_t *frame)
{
    return (uint32_t)(frame[SEGMENT_PORT] << 8 | frame[SEGMENT_PORT + 1]);
}

static inline bool is_reset(const uint8_t *frame)
{
    return (frame[SEGMENT_FLAGS] & SEGMENT_RST) != 0;
}

#endif
