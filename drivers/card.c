// SPDX-License-Identifier: MIT
// The engine's driver on a PC's network card. Constants and files are sent from their place. Octets that change are
// copied: headers, and generated content. Generated content is short: copying takes less time than waiting for the
// card.
#include "card.h"

#include <string.h>

#include "board.h"
#include "later.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define POLL_MAX 64    // frames that are received before timers have their turn
#define LATER_RETRY_MS 10
#define CACHE_LINE 64
#define SHORT 32    // octets that are copied sooner than described

_Static_assert(WHIT_PUTS_MAX + 1 + CARD_LARGE / CARD_SPAN_LEN < CARD_SPANS_MAX, "a frame's descriptors");

static const struct card *const kinds[] = {&card_virtio, &card_e1000};
const struct card *card;
uint8_t card_mac[6];
uint32_t card_received_cnt, card_sent_cnt;
static _Alignas(CACHE_LINE) uint8_t buffers[CARD_RECEIVE_CNT][CARD_BUFFER_LEN];
static _Alignas(CACHE_LINE) uint8_t copies[CARD_FRAMES][CARD_FRAME_MAX + 22];    // whole lines
static uint16_t held_cnt;                                                        // frames that the card has not sent

static bool open_kind(const struct card *kind, const struct pci *device)
{
    if (!kind->is(device) || !kind->open(device, buffers, card_mac))
        return false;
    card = kind;
    board_interrupt(device->line);
    return true;
}

// The first card that works.
bool whit_driver_init(void)
{
    struct pci device = {.at = PCI_BEGIN};
    while (pci_next(&device))
        for (uint8_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (open_kind(kinds[i], &device))
                return true;
    return false;
}

// True if a frame finds room. The card's state is read only if this is not certain.
bool whit_driver_ready(void)
{
    if (held_cnt < CARD_FRAMES_SURE)
        return true;
    held_cnt = (uint16_t)(held_cnt - card->sent());
    return held_cnt < CARD_FRAMES && card->has_room();
}

static struct {
    uint8_t *copy;     // the next free octet of the frame's copies
    uint8_t *begin;    // a span of copies that grows
    uint16_t len;
    uint16_t payload;    // payload of a segment that is cut; 0: none
} going;                 // the frame that is being put

uint16_t whit_driver_large(void)
{
    return card->cuts() ? CARD_LARGE : 0;
}

void whit_driver_cut(uint16_t payload)
{
    going.payload = payload;
}

bool whit_driver_begin(uint16_t len)
{
    if (!whit_driver_ready() || (len > CARD_FRAME_MAX && going.payload == 0)) {
        going.payload = 0;
        return false;
    }
    going.copy = copies[card_sent_cnt % CARD_FRAMES];
    going.begin = going.copy;
    going.len = len;
    return true;
}

static void put_copies(void)
{
    if (going.payload != 0)
        card->cut(going.begin, going.len, going.payload);
    going.payload = 0;
    if (going.copy != going.begin)
        card->put(going.begin, (uint16_t)(going.copy - going.begin));
    going.begin = going.copy;
}

static void put_long(const uint8_t *octets, uint16_t len)
{
    for (; len > CARD_SPAN_LEN; octets += CARD_SPAN_LEN, len = (uint16_t)(len - CARD_SPAN_LEN))
        card->put(octets, CARD_SPAN_LEN);
    card->put(octets, len);
}

// Spans that are copied one after another are one. Some cards cut only where payload follows the headers in their
// descriptor.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (place == WHIT_IN_FLASH && len > SHORT) {
        uint16_t copied = going.payload != 0 ? SHORT / 4 : 0;
        memcpy(going.copy, octets, copied);
        going.copy += copied;
        put_copies();
        put_long(octets + copied, (uint16_t)(len - copied));
        return;
    }
    if (place == WHIT_IN_PERSISTENT)
        whit_port_persistent_read((uint16_t)(uintptr_t)octets, going.copy, len);
    else
        memcpy(going.copy, octets, len);
    going.copy += len;
}

void whit_driver_end(void)
{
    put_copies();
    card->end();
    held_cnt++;
    card_sent_cnt++;
}

// No frame is received while its answer would find no place.
bool whit_driver_poll(uint32_t now_ms)
{
    const uint8_t *octets;
    uint16_t len, cnt = 0;
    later_offer(now_ms);
    for (; cnt < POLL_MAX && whit_driver_ready() && (len = card->received(&octets)) != 0; cnt++) {
        later_receive(octets, len, now_ms);
        card->release();
    }
    card_received_cnt += cnt;
    if (cnt != 0)    // acknowledgments may have made room
        later_offer(now_ms);
    card->go();
    return cnt != 0;
}

// A frame that comes after the last look makes the interrupt that ends the sleep.
void whit_driver_wait(uint32_t ms)
{
    const uint8_t *octets;
    card->go();
    if (card->received(&octets) != 0)
        return;
    card->quiet();
    if (card->received(&octets) == 0)
        board_sleep(later_waits() && ms > LATER_RETRY_MS ? LATER_RETRY_MS : ms);
}
