// SPDX-License-Identifier: MIT
// Frames for which the engine had no slot or no room wait here, and are offered again. Hosts take turns; frames of one
// host keep their order.
#ifndef WHIT_DRIVER_LATER_H
#define WHIT_DRIVER_LATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Passes a frame to the engine, after earlier frames. A frame that is not taken is kept.
void later_receive(const uint8_t *frame, size_t len, uint32_t now_ms);
void later_offer(uint32_t now_ms);    // offers the kept frames again
bool later_waits(void);               // a frame is kept
void later_forget(void);              // all that are kept

#endif
