// SPDX-License-Identifier: MIT
// A tag of IEEE 802.1Q with a priority and no VLAN: frames are kept and compared without it.
#ifndef WHIT_DRIVER_PRIORITY_TAG_H
#define WHIT_DRIVER_PRIORITY_TAG_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host.h"

#define PRIORITY_TAG_AT 12    // octets of an Ethernet frame before it
#define PRIORITY_TAG_LEN 4

// Returns the frame, or a copy without its tag, which the next call overwrites.
static inline const uint8_t *without_priority_tag(const uint8_t *frame, size_t *len)
{
    static uint8_t plain[HOST_FRAME_MAX];
    const uint8_t *tag = frame + PRIORITY_TAG_AT;
    if (*len < PRIORITY_TAG_AT + PRIORITY_TAG_LEN || *len > sizeof plain || tag[0] != 0x81 || tag[1] != 0 ||
        (tag[2] & 15) != 0 || tag[3] != 0)
        return frame;
    *len -= PRIORITY_TAG_LEN;
    memcpy(plain, frame, PRIORITY_TAG_AT);
    memcpy(plain + PRIORITY_TAG_AT, tag + PRIORITY_TAG_LEN, *len - PRIORITY_TAG_AT);
    return plain;
}

#endif
