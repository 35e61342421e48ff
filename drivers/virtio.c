// SPDX-License-Identifier: MIT
#include "virtio.h"

#include "board.h"

// Registers (4.2.2).
enum {
    MAGIC = 0x00,
    VERSION = 0x04,
    DEVICE_ID = 0x08,
    DRIVER_FEATURES = 0x20,
    DRIVER_FEATURES_SELECT = 0x24,
    QUEUE_SELECT = 0x30,
    QUEUE_LEN = 0x38,
    QUEUE_READY = 0x44,
    QUEUE_NOTIFY = 0x50,
    INTERRUPT_STATUS = 0x60,
    INTERRUPT_ACKNOWLEDGE = 0x64,
    STATUS = 0x70,
    QUEUE_DESCRIPTORS = 0x80,
    QUEUE_AVAILABLE = 0x90,
    QUEUE_USED = 0xa0,
};
#define MAGIC_VALUE 0x74726976u
enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4, FEATURES_OK = 8 };    // bits of STATUS (2.1)
#define VERSION_1 1u                                                     // feature 32

static volatile uint32_t *at(const struct virtio *device, uint32_t offset)
{
    return &REGISTER(device->registers + offset);
}

static bool is(const struct virtio *device, uint8_t kind)
{
    return *at(device, MAGIC) == MAGIC_VALUE && *at(device, VERSION) == 2 && *at(device, DEVICE_ID) == kind;
}

bool virtio_open(struct virtio *device, uint8_t kind)
{
    for (uint8_t i = 0; i < VIRTIO_CNT; i++) {
        *device = (struct virtio){VIRTIO + i * VIRTIO_LEN, (uint8_t)(VIRTIO_INTERRUPT + i)};
        if (!is(device, kind))
            continue;
        *at(device, STATUS) = 0;
        *at(device, STATUS) = ACKNOWLEDGE;
        *at(device, STATUS) = ACKNOWLEDGE | DRIVER;
        *at(device, DRIVER_FEATURES_SELECT) = 0;
        *at(device, DRIVER_FEATURES) = 0;
        *at(device, DRIVER_FEATURES_SELECT) = 1;
        *at(device, DRIVER_FEATURES) = VERSION_1;
        *at(device, STATUS) = ACKNOWLEDGE | DRIVER | FEATURES_OK;
        return (*at(device, STATUS) & FEATURES_OK) != 0;
    }
    return false;
}

// Addresses have 64 bits, in two registers.
static void set_address(const struct virtio *device, uint32_t offset, const void *to)
{
    *at(device, offset) = (uint32_t)(uintptr_t)to;
    *at(device, offset + 4) = (uint32_t)((uint64_t)(uintptr_t)to >> 32);
}

void virtio_queue(const struct virtio *device, uint8_t number, uint16_t cnt, const void *descriptors,
                  const void *available, const void *used)
{
    *at(device, QUEUE_SELECT) = number;
    *at(device, QUEUE_LEN) = cnt;
    set_address(device, QUEUE_DESCRIPTORS, descriptors);
    set_address(device, QUEUE_AVAILABLE, available);
    set_address(device, QUEUE_USED, used);
    *at(device, QUEUE_READY) = 1;
}

void virtio_go(const struct virtio *device)
{
    *at(device, STATUS) = ACKNOWLEDGE | DRIVER | FEATURES_OK | DRIVER_OK;
}

void virtio_offer(const struct virtio *device, uint8_t number, uint16_t *index)
{
    virtio_fence();
    (*index)++;
    virtio_fence();
    *at(device, QUEUE_NOTIFY) = number;
}

// Rings that are read after this call are as new as the acknowledgment: newer entries cause another interrupt.
void virtio_acknowledge(const struct virtio *device)
{
    *at(device, INTERRUPT_ACKNOWLEDGE) = *at(device, INTERRUPT_STATUS);
    virtio_fence();
}
