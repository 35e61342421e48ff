// SPDX-License-Identifier: MIT
// VIRTIO network device on a PCI bus. It uses the interface that version 1.0 calls legacy (VIRTIO 1.1, 4.1.4.8). There,
// registers are ports; the device sets the length of a queue, which begins at a page. Other devices are used by the
// interface of version 1.0 (4.1.4): capabilities of the bus give the place of registers in memory. A frame's header has
// a descriptor of its own (2.6.4.3).
#include <stddef.h>
#include <string.h>

#include "board.h"
#include "card.h"
#include "io.h"

#define VENDOR 0x1af4
#define NETWORK 0x1000
#define NETWORK_1_0 0x1041    // has no legacy interface
#define QUEUE_MAX 1024u
#define PAGE 4096u
#define HEAD_LEN 10u
#define HEAD_LEN_1_0 12u
#define HEAD_ROOM 16u
// Registers.
enum {
    DEVICE_FEATURES = 0,
    DRIVER_FEATURES = 4,
    QUEUE_ADDRESS = 8,
    QUEUE_LEN = 12,
    QUEUE_SELECT = 14,
    QUEUE_NOTIFY = 16,
    STATUS = 18,
    CAUSE = 19,
    MAC = 20,
};
#define FEATURE_SUM (1u << 0)    // the device makes TCP's
#define FEATURE_MAC (1u << 5)
#define FEATURE_CUT (1u << 11)                                           // ... and cuts segments over IPv4
enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4, FEATURES_OK = 8 };    // bits of STATUS
// Common registers of version 1.0 (4.1.4.3).
struct common {
    uint32_t device_select, device_features, driver_select, driver_features;
    uint16_t message, queues;
    uint8_t status, generation;
    uint16_t queue_select, queue_len, queue_message, queue_enable, notify_at;
    uint32_t descriptors[2], available[2], used[2];
};
enum { CAPABILITY_VENDOR = 9, PART_COMMON = 1, PART_NOTIFY = 2, PART_CAUSE = 3, PART_DEVICE = 4 };
#define VERSION_1 1u             // bit of the features from 32 on
enum { NEXT = 1, WRITE = 2 };    // flags of a descriptor
#define NO_INTERRUPT 1u          // flag of available descriptors
#define NO_NOTIFY 1u             // flag of used descriptors

struct descriptor {
    uint64_t address;
    uint32_t len;
    uint16_t flags, next;
};
struct available {
    uint16_t flags, index, ring[];
};
struct used {
    volatile uint16_t flags, index;
    struct {
        uint32_t id, len;
    } ring[];
};

// Three rings, the last one at a page's begin.
#define QUEUE_OCTETS \
    (((QUEUE_MAX * 18u + 6u + PAGE - 1) & ~(PAGE - 1)) + ((QUEUE_MAX * 8u + 6u + PAGE - 1) & ~(PAGE - 1)))
static _Alignas(PAGE) uint8_t memory[2][QUEUE_OCTETS];
static struct queue {
    uint16_t cnt;    // descriptors, a power of two
    struct descriptor *descriptors;
    struct available *available;
    struct used *used;
    uint16_t seen;                // position in the used ring that was read
    uint16_t known;               // position in the available ring, as announced to the device
    volatile uint16_t *notify;    // NULL: a port
} queues[2];
enum { RECEIVE = 0, TRANSMIT = 1 };

static uint16_t registers;
static struct {
    volatile struct common *common;    // NULL: the legacy interface is used
    uintptr_t notify;
    uint32_t notify_step;
    volatile uint8_t *cause;
    const volatile uint8_t *device;
} parts;
static uint8_t head_len = HEAD_LEN;
static uint8_t heads[CARD_RECEIVE_CNT][HEAD_ROOM];    // headers of received frames
static struct head {
    uint8_t flags, cut;
    uint16_t headers_len, payload, sum_start, sum_offset;
    uint16_t buffers;                     // from version 1.0 on, and not used when sent
} cut_heads[CARD_FRAMES];                 // headers of frames that are sent and cut
enum { NEEDS_SUM = 1, CUT_TCPV4 = 1 };    // bits of `flags`; of `cut`
#define LINK_IP_LEN 34
#define HEADERS_LEN 54
#define TCP_SUM 16                     // offset in TCP's header
static const struct head *head_put;    // header of the current frame; NULL: no sum is left to the device
static uint16_t frames_cnt;
static bool device_cuts;
static uint16_t transmit_next;      // descriptor, counted from the start
static uint16_t transmit_begin;     // first descriptor of the current frame
static uint16_t transmit_oldest;    // the oldest one that the device has not sent

static bool is_network(const struct pci *device)
{
    return device->vendor == VENDOR && (device->device == NETWORK || device->device == NETWORK_1_0);
}

static inline void fence(void)
{
    __asm__ volatile("lock addl $0, (%%esp)" : : : "memory", "cc");
}

static bool lay_out(uint16_t number, uint16_t cnt)
{
    struct queue *queue = &queues[number];
    queue->cnt = cnt;
    if (cnt < CARD_FRAMES_SURE * CARD_SPANS_MAX || cnt > QUEUE_MAX)
        return false;
    memset(memory[number], 0, sizeof memory[number]);
    queue->descriptors = (void *)memory[number];
    queue->available = (void *)(memory[number] + 16u * cnt);
    queue->used = (void *)(memory[number] + ((18u * cnt + 6 + PAGE - 1) & ~(PAGE - 1)));
    return true;
}

static bool open_queue(uint16_t number)
{
    out_16(registers + QUEUE_SELECT, number);
    if (!lay_out(number, in_16(registers + QUEUE_LEN)))
        return false;
    out_32(registers + QUEUE_ADDRESS, (uintptr_t)memory[number] / PAGE);
    return true;
}

// Its length may be chosen.
static bool open_queue_1_0(uint16_t number)
{
    volatile struct common *common = parts.common;
    struct queue *queue = &queues[number];
    common->queue_select = number;
    if (!lay_out(number, common->queue_len < QUEUE_MAX ? common->queue_len : QUEUE_MAX))
        return false;
    common->queue_len = queue->cnt;
    common->descriptors[0] = (uintptr_t)queue->descriptors;
    common->available[0] = (uintptr_t)queue->available;
    common->used[0] = (uintptr_t)queue->used;
    common->descriptors[1] = common->available[1] = common->used[1] = 0;
    queue->notify = (volatile uint16_t *)(parts.notify + common->notify_at * parts.notify_step);
    common->queue_enable = 1;
    return true;
}

static void make_available(struct queue *queue, uint16_t first)
{
    queue->available->ring[queue->available->index & (queue->cnt - 1u)] = first;
    __asm__ volatile("" : : : "memory");
    queue->available->index++;
}

// Gives a buffer to the device. Its two descriptors never change after this.
static void give_buffer(uint16_t number, uint8_t *buffer)
{
    struct descriptor *two = queues[RECEIVE].descriptors + 2 * number;
    two[0] = (struct descriptor){(uintptr_t)heads[number], head_len, NEXT | WRITE, (uint16_t)(2 * number + 1)};
    two[1] = (struct descriptor){(uintptr_t)buffer, CARD_BUFFER_LEN, WRITE, 0};
    make_available(&queues[RECEIVE], (uint16_t)(2 * number));
}

static void tell(uint16_t number)
{
    struct queue *queue = &queues[number];
    if (queue->known == queue->available->index)
        return;
    queue->known = queue->available->index;
    fence();
    if ((queue->used->flags & NO_NOTIFY) != 0)
        return;
    if (queue->notify != NULL)
        *queue->notify = number;
    else
        out_16(registers + QUEUE_NOTIFY, number);
}

// Selects the features that the device offers and the driver wants. False: less than is needed.
static bool choose_features(uint32_t *features)
{
    *features &= FEATURE_MAC | FEATURE_SUM | FEATURE_CUT;
    device_cuts = (*features & FEATURE_SUM) != 0 && (*features & FEATURE_CUT) != 0;
    return (*features & FEATURE_MAC) != 0;
}

static bool open_legacy(const struct pci *device, uint8_t mac[6])
{
    registers = (uint16_t)pci_open(device, 0);
    if (registers == 0)
        return false;
    out_8(registers + STATUS, 0);
    out_8(registers + STATUS, ACKNOWLEDGE);
    out_8(registers + STATUS, ACKNOWLEDGE | DRIVER);
    uint32_t features = in_32(registers + DEVICE_FEATURES);
    if (!choose_features(&features))
        return false;
    out_32(registers + DRIVER_FEATURES, features);
    for (uint8_t i = 0; i < 6; i++)
        mac[i] = in_8((uint16_t)(registers + MAC + i));
    if (!open_queue(RECEIVE) || !open_queue(TRANSMIT))
        return false;
    out_8(registers + STATUS, ACKNOWLEDGE | DRIVER | DRIVER_OK);
    return true;
}

// Returns the address of a part of the registers, from the capability at `at`; 0: above 32 bits.
static uintptr_t part_at(const struct pci *device, uint8_t at)
{
    uint8_t bar = (uint8_t)pci_read(device, (uint8_t)(at + 4));
    uint32_t base = bar < 6 ? pci_open(device, bar) : 0;
    bool is_wide = bar < 5 && (pci_read(device, (uint8_t)(PCI_BASE + 4 * bar)) & 7) == 4;
    if (is_wide && pci_read(device, (uint8_t)(PCI_BASE + 4 * bar + 4)) != 0)
        return 0;
    return base == 0 ? 0 : base + pci_read(device, (uint8_t)(at + 8));
}

static bool find_parts(const struct pci *device)
{
    for (uint8_t at = pci_capability(device, 0); at != 0; at = pci_capability(device, at)) {
        uint32_t head = pci_read(device, at);
        uintptr_t part = (uint8_t)head == CAPABILITY_VENDOR ? part_at(device, at) : 0;
        if (part == 0)
            continue;
        switch (head >> 24) {    // the first one of a kind counts
        case PART_COMMON:
            parts.common = parts.common != NULL ? parts.common : (volatile struct common *)part;
            break;
        case PART_CAUSE:
            parts.cause = parts.cause != NULL ? parts.cause : (volatile uint8_t *)part;
            break;
        case PART_DEVICE:
            parts.device = parts.device != NULL ? parts.device : (const volatile uint8_t *)part;
            break;
        case PART_NOTIFY:
            if (parts.notify == 0)
                parts.notify_step = pci_read(device, (uint8_t)(at + 16));
            parts.notify = parts.notify != 0 ? parts.notify : part;
            break;
        default:
            break;
        }
    }
    return parts.common != NULL && parts.notify != 0 && parts.cause != NULL && parts.device != NULL;
}

static bool open_1_0(const struct pci *device, uint8_t mac[6])
{
    if (!find_parts(device))
        return false;
    volatile struct common *common = parts.common;
    common->status = 0;
    for (uint32_t reads = 0; common->status != 0 && reads < 1000000; reads++) {
    }
    common->status = ACKNOWLEDGE;
    common->status = ACKNOWLEDGE | DRIVER;
    common->device_select = 0;
    uint32_t features = common->device_features;
    common->device_select = 1;
    if (!choose_features(&features) || (common->device_features & VERSION_1) == 0)
        return false;
    common->driver_select = 0;
    common->driver_features = features;
    common->driver_select = 1;
    common->driver_features = VERSION_1;
    common->status = ACKNOWLEDGE | DRIVER | FEATURES_OK;
    if ((common->status & FEATURES_OK) == 0)
        return false;
    head_len = HEAD_LEN_1_0;
    for (uint8_t i = 0; i < 6; i++)
        mac[i] = parts.device[i];
    if (!open_queue_1_0(RECEIVE) || !open_queue_1_0(TRANSMIT))
        return false;
    common->status = ACKNOWLEDGE | DRIVER | FEATURES_OK | DRIVER_OK;
    return true;
}

static bool virtio_open(const struct pci *device, uint8_t buffers[][CARD_BUFFER_LEN], uint8_t mac[6])
{
    if (!(device->device == NETWORK_1_0 ? open_1_0(device, mac) : open_legacy(device, mac)))
        return false;
    queues[TRANSMIT].available->flags = NO_INTERRUPT;
    for (uint16_t i = 0; i < CARD_RECEIVE_CNT && 2u * i + 1 < queues[RECEIVE].cnt; i++)
        give_buffer(i, buffers[i]);
    tell(RECEIVE);
    return true;
}

static uint32_t used_id(const struct queue *queue)
{
    return queue->used->ring[queue->seen & (queue->cnt - 1u)].id;
}

static uint16_t virtio_received(const uint8_t **octets)
{
    const struct queue *queue = &queues[RECEIVE];
    if (queue->used->index == queue->seen)
        return 0;
    __asm__ volatile("" : : : "memory");    // the processor itself reads in order
    *octets = (const uint8_t *)(uintptr_t)queue->descriptors[used_id(queue) + 1].address;
    return (uint16_t)(queue->used->ring[queue->seen & (queue->cnt - 1u)].len - head_len);
}

static void virtio_release(void)
{
    make_available(&queues[RECEIVE], (uint16_t)used_id(&queues[RECEIVE]));
    queues[RECEIVE].seen++;
}

static bool virtio_has_room(void)
{
    return (uint16_t)(transmit_next - transmit_oldest) + CARD_SPANS_MAX <= queues[TRANSMIT].cnt;
}

static void describe(const uint8_t *octets, uint16_t len)
{
    uint16_t mask = (uint16_t)(queues[TRANSMIT].cnt - 1u);
    queues[TRANSMIT].descriptors[transmit_next & mask] =
        (struct descriptor){(uintptr_t)octets, len, NEXT, (uint16_t)((transmit_next + 1u) & mask)};
    transmit_next++;
}

static void virtio_put(const uint8_t *octets, uint16_t len)
{
    static const struct head plain;
    if (transmit_next == transmit_begin)
        describe((const uint8_t *)(head_put != NULL ? head_put : &plain), head_len);
    describe(octets, len);
}

static bool virtio_cuts(void)
{
    return device_cuts;
}

static void virtio_cut(uint8_t *headers, uint16_t len, uint16_t payload)
{
    (void)headers;
    struct head *head = &cut_heads[frames_cnt % CARD_FRAMES];
    bool cut = len - HEADERS_LEN > payload;
    *head = (struct head){NEEDS_SUM, cut ? CUT_TCPV4 : 0, HEADERS_LEN, cut ? payload : 0, LINK_IP_LEN, TCP_SUM, 0};
    head_put = head;
}

static void virtio_end(void)
{
    struct queue *queue = &queues[TRANSMIT];
    queue->descriptors[(uint16_t)(transmit_next - 1u) & (queue->cnt - 1u)].flags = 0;
    make_available(queue, transmit_begin & (queue->cnt - 1u));
    transmit_begin = transmit_next;
    frames_cnt++;
    head_put = NULL;
}

static void virtio_go(void)
{
    tell(TRANSMIT);
    tell(RECEIVE);
}

// Frames come back in the order in which they went: no device is known that sends them in another.
static uint16_t virtio_sent(void)
{
    struct queue *queue = &queues[TRANSMIT];
    uint16_t cnt = (uint16_t)(queue->used->index - queue->seen);
    for (uint16_t i = 0; i < cnt; i++) {
        while (queue->descriptors[transmit_oldest & (queue->cnt - 1u)].flags != 0)
            transmit_oldest++;
        transmit_oldest++;
    }
    queue->seen = (uint16_t)(queue->seen + cnt);
    return cnt;
}

// A read clears it.
static void virtio_quiet(void)
{
    if (parts.common != NULL)
        (void)*parts.cause;
    else
        in_8(registers + CAUSE);
}

const struct card card_virtio = {
    "virtio-net", is_network,  virtio_open, virtio_received, virtio_release, virtio_has_room, virtio_put,
    virtio_end,   virtio_cuts, virtio_cut,  virtio_go,       virtio_sent,    virtio_quiet,
};
