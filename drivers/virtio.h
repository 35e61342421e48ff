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
#define VIRTIO_NEXT 1    // `next` goes on where this one ends
#define VIRTIO_WRITE 2   // the device writes there

// What a driver of a queue of `cnt` descriptors keeps for it; the type stands beside the queue's driver.
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

// Finds the first device of the kind and agrees on version 1 and no feature. False: there is none.
bool virtio_open(struct virtio *device, uint8_t kind);
void virtio_queue(const struct virtio *device, uint8_t number, uint16_t cnt, const void *descriptors, const void *available, const void *used);
void virtio_go(const struct virtio *device);                      // its queues are there
void virtio_offer(const struct virtio *device, uint8_t number, uint16_t *index);    // counts the index of what is available up, and says so
void virtio_acknowledge(const struct virtio *device);             // its interrupt
static inline void virtio_fence(void) { __asm__ volatile("fence iorw, iorw" ::: "memory"); }

#endif
