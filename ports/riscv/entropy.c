// SPDX-License-Identifier: MIT
// The machine's entropy device (VIRTIO 1.1, section 5.4), fed by the emulator's host. A product uses the generator of
// its microcontroller, after its start-up tests have passed.
#include <string.h>

#include "board.h"
#include "virtio.h"
#include "whit/port.h"

static VIRTIO_QUEUE(1) queue;

// Fills `to`. The device may give less than requested, at least one octet.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    struct virtio device;
    if (!virtio_open(&device, VIRTIO_ENTROPY))
        board_end("no source of entropy; without it nobody is safe from forged connections");
    memset(&queue, 0, sizeof queue);
    virtio_queue(&device, 0, 1, queue.descriptors, &queue.available, &queue.used);
    virtio_go(&device);
    while (len != 0) {
        queue.descriptors[0] = (struct virtio_descriptor){(uintptr_t)to, len, VIRTIO_WRITE, 0};
        virtio_offer(&device, 0, &queue.available.index);
        while (queue.used.index != queue.available.index) {
        }
        virtio_fence();
        to += queue.used.ring[0].len;
        len = (uint8_t)(len - queue.used.ring[0].len);
    }
}
