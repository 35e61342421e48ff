// SPDX-License-Identifier: MIT
// The octets of frames that are kept, found by their connection. Places are numbered by the caller (later.c).
#ifndef WHIT_DRIVER_FRAMES_H
#define WHIT_DRIVER_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "fair.h"

const uint8_t *frames_octets(uint16_t i);
void frames_add(uint16_t i, const uint8_t *frame);    // after the others of its connection. Its octets follow
void frames_write(uint16_t i, const uint8_t *frame, size_t len);    // HOST_FRAME_MAX at most, of the same connection
void frames_remove(uint16_t i);

// Frames of the connection of `frame`, oldest first, and the next frames after one of them. FAIR_NONE: no more.
uint16_t frames_first(const uint8_t *frame);
uint16_t frames_next(uint16_t i);
uint16_t frames_any(void);    // a frame of any connection

#endif
