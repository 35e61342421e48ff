// SPDX-License-Identifier: MIT
// Kept frames whose octets were acknowledged ("promised"). The driver keeps them until they are taken or their
// connection is reset.
#ifndef WHIT_DRIVER_PROMISED_H
#define WHIT_DRIVER_PROMISED_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"
#include "whit/engine.h"

bool promised(uint16_t i);
void promised_new(uint16_t i);    // a new frame takes the place
// Acknowledges the octets that the driver keeps without a gap, if the frame's connection has a slot. Call it at once
// after the engine returned `said` for this frame: a newly taken slot does not know of kept octets. kept_cnt: number of
// all kept frames.
void promised_more(uint16_t i, enum whit_taken said, uint16_t kept_cnt);
void promised_over(const uint8_t *frame);    // the frame's connection is reset: none of its frames is promised any more
bool promised_lost_by(uint16_t i, const uint8_t *copy);    // true if the copy lacks promised octets of the kept frame

#endif
