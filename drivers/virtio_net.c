// SPDX-License-Identifier: MIT
// VIRTIO network device (version 1.1, section 5.1). Frames are sent by reference: the device reads octets in flash and
// in the shared buffer in place. The driver waits for frames with octets of the shared buffer. Headers are copied.
// Received frames stay in their buffers, also frames that are passed to the engine again.
#include <string.h>

#include "board.h"
#include "virtio.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define FRAME_MAX 1514
#define HEAD_LEN 12    // struct virtio_net_hdr of version 1: no offload, all zeros
enum { RECEIVE_QUEUE = 0, TRANSMIT_QUEUE = 1 };

#define RECEIVE_CNT 16    // buffers, one for each frame: a power of two
#define LATER_MAX 13      // received frames that may wait to be passed to the engine again
#define LATER_MS 1000     // after this time the sender has repeated the frame
#define LATER_RETRY_MS 10

#define TRANSMIT_CNT 2       // frames that the device may hold
#define DESCRIPTOR_CNT 16    // each: one for the head, one for each whit_driver_put()
// Octets of a frame that are copied. Octets of persistent memory always are, because the flash log is not plain memory.
#define COPY_MAX (WHIT_HAS_STORED ? FRAME_MAX : WHIT_PUTS_RAM)

_Static_assert(WHIT_PUTS_MAX + 1 <= DESCRIPTOR_CNT, "a frame's descriptors");

static struct virtio device;
static VIRTIO_QUEUE(RECEIVE_CNT) receive;
static VIRTIO_QUEUE(TRANSMIT_CNT *DESCRIPTOR_CNT) transmit;
static uint16_t received_cnt, transmitted_cnt;    // positions in the used rings that were read
static uint8_t frames[RECEIVE_CNT][(HEAD_LEN + FRAME_MAX + 4 /* a priority tag */ + 3) & ~3];

static struct later {
    uint32_t since_ms;
    enum whit_taken said;
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
    receive.descriptors[frame] =
        (struct virtio_descriptor){(uintptr_t)frames[frame], sizeof frames[frame], VIRTIO_WRITE, 0};
    receive.available.ring[receive.available.index % RECEIVE_CNT] = frame;
    virtio_offer(&device, RECEIVE_QUEUE, &receive.available.index);
}

bool whit_driver_init(void)
{
    if (!virtio_open(&device, VIRTIO_NET))
        return false;
    virtio_queue(&device, RECEIVE_QUEUE, RECEIVE_CNT, receive.descriptors, &receive.available, &receive.used);
    virtio_queue(&device, TRANSMIT_QUEUE, TRANSMIT_CNT * DESCRIPTOR_CNT, transmit.descriptors, &transmit.available,
                 &transmit.used);
    virtio_go(&device);
    for (uint8_t i = 0; i < RECEIVE_CNT; i++)
        give_back(i);
    board_interrupt(device.interrupt);
    return true;
}

// Returns the first frame that the device does not hold; TRANSMIT_CNT: it holds all.
static uint8_t free_frame(void)
{
    for (; transmitted_cnt != transmit.used.index; transmitted_cnt++) {
        virtio_fence();
        outgoing[transmit.used.ring[transmitted_cnt % (TRANSMIT_CNT * DESCRIPTOR_CNT)].id / DESCRIPTOR_CNT].busy =
            false;
    }
    uint8_t frame = 0;
    while (frame < TRANSMIT_CNT && outgoing[frame].busy)
        frame++;
    return frame;
}

bool whit_driver_ready(void)
{
    return free_frame() < TRANSMIT_CNT;
}

static struct {
    uint8_t frame;
    uint16_t last;      // descriptor
    uint16_t copied;    // octets
    bool waits;         // for the device to have read octets of the shared buffer
} going;                // the frame that is being put

static void describe(uint16_t number, const uint8_t *octets, uint16_t len)
{
    transmit.descriptors[number] =
        (struct virtio_descriptor){(uintptr_t)octets, len, VIRTIO_NEXT, (uint16_t)(number + 1)};
}

bool whit_driver_begin(uint16_t len)
{
    static const uint8_t head[HEAD_LEN];
    going.frame = free_frame();
    if (going.frame == TRANSMIT_CNT || len > FRAME_MAX)
        return false;
    going.last = (uint16_t)(going.frame * DESCRIPTOR_CNT);
    going.copied = 0;
    going.waits = false;
    describe(going.last, head, HEAD_LEN);
    return true;
}

// Copies octets to memory that the device may read later. Returns their place.
static const uint8_t *copy(const uint8_t *octets, uint16_t len, uint8_t place)
{
    uint8_t *to = outgoing[going.frame].copy + going.copied;
    if (WHIT_HAS_STORED && place == WHIT_IN_PERSISTENT)
        whit_port_persistent_read((uint16_t)(uintptr_t)octets, to, len);
    else
        memcpy(to, octets, len);
    going.copied = (uint16_t)(going.copied + len);
    return to;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    going.waits |= place == WHIT_IN_BUFFER;
    if (place == WHIT_IN_RAM || place == WHIT_IN_PERSISTENT)
        octets = copy(octets, len, place);
    describe(++going.last, octets, len);
}

void whit_driver_end(void)
{
    transmit.descriptors[going.last].flags = 0;
    outgoing[going.frame].busy = true;
    transmit.available.ring[transmit.available.index % (TRANSMIT_CNT * DESCRIPTOR_CNT)] =
        (uint16_t)(going.frame * DESCRIPTOR_CNT);
    virtio_offer(&device, TRANSMIT_QUEUE, &transmit.available.index);
    while (going.waits && outgoing[going.frame].busy)
        free_frame();
}

__attribute__((noinline)) static enum whit_taken offer(uint8_t frame, uint32_t len, uint32_t now_ms)
{
    enum whit_taken said;
    do {    // each turn takes some octets
        whit_input(frames[frame] + HEAD_LEN, (uint16_t)(len - HEAD_LEN), now_ms);
        said = whit_input_end(now_ms);
        if (said == WHIT_PART)
            whit_input_again(said);
    } while (said == WHIT_PART);
    return said;
}

static bool offer_repeated(struct later *one, uint32_t now_ms)
{
    whit_input_again(one->said);
    one->said = offer(one->frame, one->len, now_ms);
    return one->said == WHIT_TAKEN;
}

// The sender has repeated it, or will. One whose connection has a slot may wait for a long response; in half of the
// places, others are not kept out.
static bool is_old(const struct later *one, uint32_t now_ms)
{
    return now_ms - one->since_ms > LATER_MS && (one->said != WHIT_WAITS || later_cnt > LATER_MAX / 2);
}

static void offer_again(uint32_t now_ms)
{
    uint8_t kept = 0;
    for (uint8_t i = 0; i < later_cnt; i++) {
        if (whit_driver_ready() && (offer_repeated(&later[i], now_ms) || is_old(&later[i], now_ms)))
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
        enum whit_taken said = offer(frame, len, now_ms);
        if (said == WHIT_TAKEN || later_cnt == LATER_MAX) {
            give_back(frame);
            continue;
        }
        later[later_cnt].since_ms = now_ms;
        later[later_cnt].said = said;
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
