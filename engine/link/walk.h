// SPDX-License-Identifier: MIT
// A segment's payload, counted and then put (frame.c).
#ifndef WHIT_LINK_WALK_H
#define WHIT_LINK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/buffer.h"
#include "../base/position.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "whit/driver.h"

// A segment's payload is found twice by the same walk over the response: the first time its octets are counted and summed,
// the second time, after the headers that tell both, they are put to the driver. Generated octets stay at the free end
// of the shared buffer in between.
struct walk {
    whit_position skip;      // octets still to be passed over
    const uint8_t *made;     // octets that were generated in the first pass
    uint16_t made_len;
    uint16_t limit;          // octets that may still be taken
    uint16_t len;            // octets that were counted
    uint16_t sum;
    uint16_t mss;            // of the peer: limit may grow to it by octets that the peer has already
    uint16_t overlap_len;    // those octets
    bool puts : 1;           // the second pass
    bool new_chunk : 1;      // content_rerun.c made a further chunk
};
#define FRAMING_MAX (WHIT_HAS_STORED ? 48 : WHIT_HAS_GENERATORS ? 30 : 1)    // "Content-Length: ", a number, CR LF CR LF; an entity tag's line before it
_Static_assert(14 + 40 + FRAMING_MAX <= WHIT_PUTS_RAM, "driver.h");
_Static_assert(2 + 3 + 5 <= WHIT_PUTS_MAX, "driver.h: json_error.c has five pieces");
// Of link, of IP and TCP; version, code, a field line; what a handler chose; what the compiler made; what frames generated octets, and they.
_Static_assert(2 + 3 + WHIT_HAS_ANSWER * WHIT_ANSWER_FIELDS + 2 + 3 <= WHIT_PUTS_MAX, "driver.h");

// Takes octets of RAM, as many as there is room for. place: as in driver.h.
void walk_ram(struct walk *w, const uint8_t *octets, uint16_t len, uint8_t place);
void walk_put(const uint8_t *octets, uint16_t len, uint8_t place);    // what the second one does
void walk_count(struct walk *w, uint16_t len, uint16_t sum);    // what the first pass does with octets

// Of what is sealed there is one pass: its octets are put here, and this moves on. NULL: to the driver.
extern uint8_t *walk_record;
static inline bool walk_collects(void) { return WHIT_TLS && walk_record != NULL; }

#endif
