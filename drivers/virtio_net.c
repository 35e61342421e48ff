// SPDX-License-Identifier: MIT
// VIRTIO network device (version 1.1, section 5.1). Frames are sent by reference: the device reads octets in flash
// in place. Octets that are valid during the call only are copied if they are few; otherwise the call waits until the device has
// read them. Received frames stay in their buffers, also those that are passed to the engine again.
#include <string.h>

#include "board.h"
#include "virtio.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define FRAME_MAX 1514
#define HEAD_LEN 12          // struct virtio_net_hdr of version 1: no offload, all zeros
enum { RECEIVE_QUEUE = 0, TRANSMIT_QUEUE = 1 };

#define RECEIVE_CNT 4        // buffers, one for each frame
#define LATER_MAX 2          // received frames that may wait to be passed to the engine again
#define LATER_MS 1000        // after this time the sender has repeated the frame
#define LATER_RETRY_MS 10

#define TRANSMIT_CNT 2       // frames that the device may hold
#define DESCRIPTOR_CNT 16    // each: one for the head, one for each span
// Octets of a frame that are copied. Those of persistent memory always are, as the flash log is no plain memory.
#define COPY_MAX (WHIT_HAS_STORED ? FRAME_MAX : 128)

_Static_assert(WHIT_SPANS_MAX + 1 <= DESCRIPTOR_CNT, "a frame's descriptors");

static struct virtio device;
static VIRTIO_QUEUE(RECEIVE_CNT) receive;
static VIRTIO_QUEUE(TRANSMIT_CNT * DESCRIPTOR_CNT) transmit;
static uint16_t received_cnt, transmitted_cnt;    // of the used rings, as far as they were looked at
static uint8_t frames[RECEIVE_CNT][(HEAD_LEN + FRAME_MAX + 3) & ~3];

static struct later {
    uint32_t since_ms;
    uint32_t len;
    uint8_t frame;
} later[LATER_MAX];
static uint8_t later_cnt;

static struct {
    bool busy;    // the device has it
    uint8_t copy[COPY_MAX];
} outgoing[TRANSMIT_CNT];

static void give_back(uint8_t frame)
{
    receive.descriptors[frame] = (struct virtio_descriptor){(uintptr_t)frames[frame], sizeof frames[frame], VIRTIO_WRITE, 0};
    receive.available.ring[receive.available.index % RECEIVE_CNT] = frame;
    virtio_offer(&device, RECEIVE_QUEUE, &receive.available.index);
}

bool whit_driver_init(void)
{
    if (!virtio_open(&device, VIRTIO_NET))
        return false;
    virtio_queue(&device, RECEIVE_QUEUE, RECEIVE_CNT, receive.descriptors, &receive.available, &receive.used);
    virtio_queue(&device, TRANSMIT_QUEUE, TRANSMIT_CNT * DESCRIPTOR_CNT, transmit.descriptors, &transmit.available, &transmit.used);
    virtio_go(&device);
    for (uint8_t i = 0; i < RECEIVE_CNT; i++)
        give_back(i);
    board_interrupt(device.interrupt);
    return true;
}

// The first frame that the device does not hold; TRANSMIT_CNT: it holds all.
static uint8_t free_frame(void)
{
    for (; transmitted_cnt != transmit.used.index; transmitted_cnt++) {
        virtio_fence();
        outgoing[transmit.used.ring[transmitted_cnt % (TRANSMIT_CNT * DESCRIPTOR_CNT)].id / DESCRIPTOR_CNT].busy = false;
    }
    uint8_t frame = 0;
    while (frame < TRANSMIT_CNT && outgoing[frame].busy)
        frame++;
    return frame;
}

bool whit_driver_ready(void) { return free_frame() < TRANSMIT_CNT; }

static void copy(const struct whit_span *span, uint8_t *to)
{
    if (WHIT_HAS_STORED && span->place == WHIT_IN_PERSISTENT)
        whit_port_persistent_read((uint16_t)(uintptr_t)span->octets, to, span->len);
    else
        memcpy(to, span->octets, span->len);
}

// Where the device finds a span's octets.
static const uint8_t *settle(const struct whit_span *span, uint8_t frame, uint16_t *copied)
{
    if (span->place == WHIT_IN_FLASH || span->len > COPY_MAX - *copied)
        return span->octets;
    uint8_t *to = outgoing[frame].copy + *copied;
    copy(span, to);
    *copied = (uint16_t)(*copied + span->len);
    return to;
}

static void describe(uint16_t number, const uint8_t *octets, uint16_t len)
{
    transmit.descriptors[number] = (struct virtio_descriptor){(uintptr_t)octets, len, VIRTIO_NEXT, (uint16_t)(number + 1)};
}

bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt)
{
    static const uint8_t head[HEAD_LEN];
    uint8_t frame = free_frame();
    if (frame == TRANSMIT_CNT)
        return false;
    uint16_t first = (uint16_t)(frame * DESCRIPTOR_CNT), last = first, copied = 0;
    bool waits = false;
    describe(first, head, HEAD_LEN);
    for (uint8_t i = 0; i < span_cnt; i++) {
        if (spans[i].len == 0)    // no descriptor may be empty
            continue;
        const uint8_t *octets = settle(&spans[i], frame, &copied);
        waits |= octets == spans[i].octets && spans[i].place != WHIT_IN_FLASH;
        describe(++last, octets, spans[i].len);
    }
    transmit.descriptors[last].flags = 0;
    outgoing[frame].busy = true;
    transmit.available.ring[transmit.available.index % (TRANSMIT_CNT * DESCRIPTOR_CNT)] = first;
    virtio_offer(&device, TRANSMIT_QUEUE, &transmit.available.index);
    while (waits && outgoing[frame].busy)
        free_frame();
    return true;
}

static bool offer(uint8_t frame, uint32_t len, uint32_t now_ms)
{
    whit_input(frames[frame] + HEAD_LEN, (uint16_t)(len - HEAD_LEN), now_ms);
    return whit_input_end(now_ms);
}

static bool offer_repeated(const struct later *one, uint32_t now_ms)
{
    whit_input_again();
    return offer(one->frame, one->len, now_ms);
}

static void offer_again(uint32_t now_ms)
{
    uint8_t kept = 0;
    for (uint8_t i = 0; i < later_cnt; i++) {
        if (whit_driver_ready() && (offer_repeated(&later[i], now_ms) || now_ms - later[i].since_ms > LATER_MS))
            give_back(later[i].frame);
        else
            later[kept++] = later[i];
    }
    later_cnt = kept;
}

// No frame is received while its answer would find no place.
bool whit_driver_poll(uint32_t now_ms)
{
    uint16_t begin = received_cnt;
    offer_again(now_ms);
    for (; received_cnt != receive.used.index && whit_driver_ready(); received_cnt++) {
        virtio_fence();
        uint8_t frame = (uint8_t)receive.used.ring[received_cnt % RECEIVE_CNT].id;
        uint32_t len = receive.used.ring[received_cnt % RECEIVE_CNT].len;
        if (offer(frame, len, now_ms) || later_cnt == LATER_MAX) {
            give_back(frame);
            continue;
        }
        later[later_cnt].since_ms = now_ms;
        later[later_cnt].len = len;
        later[later_cnt++].frame = frame;
    }
    return received_cnt != begin;
}

void whit_driver_wait(uint32_t ms)
{
    virtio_acknowledge(&device);
    if (receive.used.index == received_cnt && whit_driver_ready())
        board_sleep(later_cnt != 0 && ms > LATER_RETRY_MS ? LATER_RETRY_MS : ms);
}
