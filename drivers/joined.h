// SPDX-License-Identifier: MIT
// Consecutive segments of a connection go to a TAP device as one frame (virtio_net_hdr). Linux splits it into the same
// segments if necessary. If Linux accepts no such frames, each segment is written separately.
#ifndef WHIT_DRIVER_JOINED_H
#define WHIT_DRIVER_JOINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

// has_header: IFF_VNET_HDR, a struct virtio_net_hdr precedes each frame
void joined_open(int tap, bool has_header);
// Takes a frame: it is written now, or with others by joined_flush(). False: refused.
bool joined_send(const uint8_t *frame, size_t len);
void joined_flush(void);
uint16_t joined_large(void);    // octets that a segment may bring which Linux cuts; 0: it cuts none
void joined_send_large(struct iovec *pieces, int cnt, uint16_t payload);    // see struct host_link

#endif
