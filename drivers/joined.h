// SPDX-License-Identifier: MIT
// Consecutive segments of a connection go to a TAP device as one frame, which Linux splits where it must (virtio_net_hdr).
#ifndef WHIT_DRIVER_JOINED_H
#define WHIT_DRIVER_JOINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Takes a frame: it is written now, or with others by joined_flush(). False: refused.
bool joined_send(int tap, const uint8_t *frame, size_t len);
void joined_flush(int tap);

#endif
