// SPDX-License-Identifier: MIT
// What handlers write (out.c).
#ifndef WHIT_CONTENT_OUT_H
#define WHIT_CONTENT_OUT_H

#include <stdint.h>

#include "../base/position.h"

// Where out_*() write: octets [from, from + room) of what the generator says go to `to`, the others are counted.
struct whit_out {
    uint8_t *to;
    whit_position from;
    whit_position len; // octets written so far in all, at most the largest number
    uint16_t room;
    uint16_t hash;     // of all of them: tells whether a generator says the same again
    uint16_t limit;    // a protothread waits before it would write more than this
};
extern struct whit_out *whit_out;    // of the generator that runs

uint16_t out_room_left(void);    // octets that a protothread may write before it must wait

#endif
