// SPDX-License-Identifier: MIT
// Passes a frame to the engine, and handles the result.
#ifndef WHIT_DRIVER_OFFER_H
#define WHIT_DRIVER_OFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whit/engine.h"

static inline enum whit_taken offer(const uint8_t *frame, size_t len, uint32_t now_ms)
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

// True if the frame waits for a slot, for room or for its host's turn.
static inline bool wants(enum whit_taken said)
{
    return said == WHIT_NO_SLOT || said == WHIT_NO_ROOM || said == WHIT_NO_TURN;
}

// True if other frames of the connection may be taken after this one.
static inline bool has_moved(enum whit_taken said)
{
    return said == WHIT_TAKEN || said == WHIT_WAITS;
}

#endif
