// SPDX-License-Identifier: MIT
// What handlers write (out.c).
#ifndef WHIT_CONTENT_OUT_H
#define WHIT_CONTENT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/limits.h"
#include "../base/position.h"
#if WHIT_HAS_REPLIES
#include "whit/crypto.h"
#endif

// A hash of what a generator says. A record number under TLS must not see two texts (DESIGN.md, invariant 10), so there it is a keyed one:
// two polynomials modulo 2^31 - 1.
#if WHIT_TLS
typedef uint64_t whit_said __attribute__((aligned(4)));    // it stands in blocks of the shared buffer
#else
typedef uint16_t whit_said;
#endif
void out_init(void);    // with WHIT_TLS: takes its key

// Where out_*() write: octets [from, from + room) of what the generator says go to `to`, the others are counted.
struct whit_out {
    uint8_t *to;
    whit_position from;
    whit_position len; // octets written so far in all, at most the largest number
    uint16_t room;
    whit_said hash;    // of all of them: tells whether a generator says the same again
    uint16_t limit;    // a protothread waits before it would write more than this
    bool kept;         // it says so once: nobody needs the hash
};
extern struct whit_out *whit_out;    // of the generator that runs
#if WHIT_HAS_REPLIES
extern struct whit_sha256 *out_hashed;    // what is written goes there and nowhere else; NULL: it does not
#endif

uint16_t out_room_left(void);    // octets that a protothread may write before it must wait

#endif
