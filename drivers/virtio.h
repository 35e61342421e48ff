// SPDX-License-Identifier: MIT
// Virtual I/O Device (VIRTIO) Version 1.1, over memory-mapped registers (section 4.2), with split queues (2.6).
#ifndef VIRTIO_H
#define VIRTIO_H

#include <stdbool.h>
#include <stdint.h>

enum { VIRTIO_NET = 1, VIRTIO_ENTROPY = 4 };

struct virtio_descriptor {
    uint64_t address;
    uint32_t len;
    uint16_t flags;
    uint16_t next;
};
#define VIRTIO_NEXT 1     // the descriptor `next` continues this one
#define VIRTIO_WRITE 2    // the device writes there

// The rings of a queue with `cnt` descriptors; the driver of the queue declares the type.
#define VIRTIO_QUEUE(cnt)                                       \
    struct {                                                    \
        _Alignas(16) struct virtio_descriptor descriptors[cnt]; \
        struct {                                                \
            uint16_t flags;                                     \
            uint16_t index;                                     \
            uint16_t ring[cnt];                                 \
        } available;                                            \
        struct {                                                \
            _Alignas(4) uint16_t flags;                         \
            volatile uint16_t index;                            \
            struct {                                            \
                uint32_t id;                                    \
                uint32_t len;                                   \
            } ring[cnt];                                        \
        } used;                                                 \
    }

struct virtio {
    uintptr_t registers;
    uint8_t interrupt;
};

// Finds the first device of this kind and negotiates version 1 without features. False: there is no such device.
bool virtio_open(struct virtio *device, uint8_t kind);
void virtio_queue(const struct virtio *device, uint8_t number, uint16_t cnt, const void *descriptors,
                  const void *available, const void *used);
void virtio_go(const struct virtio *device);    // after its queues are set up
// increments the index of available descriptors, and notifies the device
void virtio_offer(const struct virtio *device, uint8_t number, uint16_t *index);
void virtio_acknowledge(const struct virtio *device);    // clears its interrupt
static inline void virtio_fence(void)
{
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

#endif
