// SPDX-License-Identifier: MIT
// VIRTIO network device on a PCI bus, by the interface that version 1.0 calls legacy (VIRTIO 1.1, 4.1.4.8): registers are ports, and a
// queue is as long as the device says and lies at a page's begin. A frame's header has a descriptor of its own (2.6.4.3 of 1.1).
#include <stddef.h>
#include <string.h>

#include "board.h"
#include "card.h"
#include "io.h"

#define VENDOR 0x1af4
#define NETWORK 0x1000
#define QUEUE_MAX 1024u
#define PAGE 4096u
#define HEAD_LEN 10u
#define HEAD_ROOM 16u
// Registers.
enum {
    DEVICE_FEATURES = 0, DRIVER_FEATURES = 4, QUEUE_ADDRESS = 8, QUEUE_LEN = 12, QUEUE_SELECT = 14, QUEUE_NOTIFY = 16, STATUS = 18, CAUSE = 19,
    MAC = 20,
};
#define FEATURE_SUM (1u << 0)         // the device makes TCP's
#define FEATURE_MAC (1u << 5)
#define FEATURE_CUT (1u << 11)        // ... and cuts segments over IPv4
enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4 };    // of STATUS
enum { NEXT = 1, WRITE = 2 };                            // of a descriptor
#define NO_INTERRUPT 1u                                  // of available descriptors
#define NO_NOTIFY 1u                                     // of used ones

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
#define QUEUE_OCTETS (((QUEUE_MAX * 18u + 6u + PAGE - 1) & ~(PAGE - 1)) + ((QUEUE_MAX * 8u + 6u + PAGE - 1) & ~(PAGE - 1)))
static _Alignas(PAGE) uint8_t memory[2][QUEUE_OCTETS];
static struct queue {
    uint16_t cnt;           // descriptors, a power of two
    struct descriptor *descriptors;
    struct available *available;
    struct used *used;
    uint16_t seen;          // of the used ring
    uint16_t known;         // of the available ring, which the device was told of
} queues[2];
enum { RECEIVE = 0, TRANSMIT = 1 };

static uint16_t registers;
static uint8_t heads[CARD_RECEIVE_CNT][HEAD_ROOM];    // of received frames
static struct head {
    uint8_t flags, cut;
    uint16_t headers_len, payload, sum_start, sum_offset;
} cut_heads[CARD_FRAMES];              // of frames that are sent and cut
enum { NEEDS_SUM = 1, CUT_TCPV4 = 1 };    // of flags; of `cut`
#define LINK_IP_LEN 34
#define HEADERS_LEN 54
#define TCP_SUM 16                     // in TCP's header
static const struct head *head_put;    // of the frame that is being put; NULL: no sum is left to the device
static uint16_t frames_cnt;
static bool device_cuts;
static uint16_t transmit_next;      // descriptor, counted from the start
static uint16_t transmit_begin;     // of the frame that is being put
static uint16_t transmit_oldest;    // of those that the device has not sent

static bool is_network(const struct pci *device) { return device->vendor == VENDOR && device->device == NETWORK; }

static inline void fence(void) { __asm__ volatile("lock addl $0, (%%esp)" : : : "memory", "cc"); }

static bool open_queue(uint16_t number)
{
    struct queue *queue = &queues[number];
    out_16(registers + QUEUE_SELECT, number);
    queue->cnt = in_16(registers + QUEUE_LEN);
    if (queue->cnt < CARD_FRAMES_SURE * CARD_SPANS_MAX || queue->cnt > QUEUE_MAX)
        return false;
    memset(memory[number], 0, sizeof memory[number]);
    queue->descriptors = (void *)memory[number];
    queue->available = (void *)(memory[number] + 16u * queue->cnt);
    queue->used = (void *)(memory[number] + ((18u * queue->cnt + 6 + PAGE - 1) & ~(PAGE - 1)));
    out_32(registers + QUEUE_ADDRESS, (uintptr_t)memory[number] / PAGE);
    return true;
}

static void make_available(struct queue *queue, uint16_t first)
{
    queue->available->ring[queue->available->index & (queue->cnt - 1u)] = first;
    __asm__ volatile("" : : : "memory");
    queue->available->index++;
}

// The buffer's two descriptors are the same ever after.
static void give_buffer(uint16_t number, uint8_t *buffer)
{
    struct descriptor *two = queues[RECEIVE].descriptors + 2 * number;
    two[0] = (struct descriptor){(uintptr_t)heads[number], HEAD_LEN, NEXT | WRITE, (uint16_t)(2 * number + 1)};
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
    if ((queue->used->flags & NO_NOTIFY) == 0)
        out_16(registers + QUEUE_NOTIFY, number);
}

static bool virtio_open(const struct pci *device, uint8_t buffers[][CARD_BUFFER_LEN], uint8_t mac[6])
{
    registers = (uint16_t)pci_open(device, 0);
    if (registers == 0)
        return false;
    out_8(registers + STATUS, 0);
    out_8(registers + STATUS, ACKNOWLEDGE);
    out_8(registers + STATUS, ACKNOWLEDGE | DRIVER);
    uint32_t features = in_32(registers + DEVICE_FEATURES) & (FEATURE_MAC | FEATURE_SUM | FEATURE_CUT);
    if ((features & FEATURE_MAC) == 0)
        return false;
    device_cuts = (features & FEATURE_SUM) != 0 && (features & FEATURE_CUT) != 0;
    out_32(registers + DRIVER_FEATURES, features);
    for (uint8_t i = 0; i < 6; i++)
        mac[i] = in_8((uint16_t)(registers + MAC + i));
    if (!open_queue(RECEIVE) || !open_queue(TRANSMIT))
        return false;
    queues[TRANSMIT].available->flags = NO_INTERRUPT;
    out_8(registers + STATUS, ACKNOWLEDGE | DRIVER | DRIVER_OK);
    for (uint16_t i = 0; i < CARD_RECEIVE_CNT && 2u * i + 1 < queues[RECEIVE].cnt; i++)
        give_buffer(i, buffers[i]);
    tell(RECEIVE);
    return true;
}

static uint32_t used_id(const struct queue *queue) { return queue->used->ring[queue->seen & (queue->cnt - 1u)].id; }

static uint16_t virtio_received(const uint8_t **octets)
{
    const struct queue *queue = &queues[RECEIVE];
    if (queue->used->index == queue->seen)
        return 0;
    __asm__ volatile("" : : : "memory");    // the processor itself reads in order
    *octets = (const uint8_t *)(uintptr_t)queue->descriptors[used_id(queue) + 1].address;
    return (uint16_t)(queue->used->ring[queue->seen & (queue->cnt - 1u)].len - HEAD_LEN);
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
        describe((const uint8_t *)(head_put != NULL ? head_put : &plain), HEAD_LEN);
    describe(octets, len);
}

static bool virtio_cuts(void) { return device_cuts; }

static void virtio_cut(uint8_t *headers, uint16_t len, uint16_t payload)
{
    (void)headers;
    struct head *head = &cut_heads[frames_cnt % CARD_FRAMES];
    bool cut = len - HEADERS_LEN > payload;
    *head = (struct head){NEEDS_SUM, cut ? CUT_TCPV4 : 0, HEADERS_LEN, cut ? payload : 0, LINK_IP_LEN, TCP_SUM};
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

static void virtio_quiet(void) { in_8(registers + CAUSE); }    // which a read clears

const struct card card_virtio = {
    "virtio-net", is_network, virtio_open, virtio_received, virtio_release, virtio_has_room, virtio_put,
    virtio_end, virtio_cuts, virtio_cut, virtio_go, virtio_sent, virtio_quiet,
};
