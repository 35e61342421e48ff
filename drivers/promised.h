// SPDX-License-Identifier: MIT
// Frames that wait, and whose octets were acknowledged: they are kept until they are taken, or their connection is reset.
#ifndef WHIT_DRIVER_PROMISED_H
#define WHIT_DRIVER_PROMISED_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"
#include "whit/engine.h"

bool promised(uint16_t i);
void promised_new(uint16_t i);    // another frame has the place
// What the engine said of this frame last. Where its connection has a slot, acknowledges what the driver has without a gap, before
// anything else is sent: a slot that was taken anew knows nothing of it. kept_cnt: all frames.
void promised_more(uint16_t i, enum whit_taken said, uint16_t kept_cnt);
void promised_over(const uint8_t *frame);    // its connection is reset: nothing of it is promised
bool promised_longer(uint16_t i, const uint8_t *copy);    // the kept frame has promised octets that the copy lacks

#endif
