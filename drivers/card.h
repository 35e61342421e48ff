// SPDX-License-Identifier: MIT
// Network cards of a PC. The card is known only at run time, so card.c implements the engine's driver and calls one of
// these. A card sends and receives by rings of descriptors. Frames are sent, and their octets freed, in the order in
// which they were put.
#ifndef WHIT_DRIVER_CARD_H
#define WHIT_DRIVER_CARD_H

#include <stdbool.h>
#include <stdint.h>

#include "pci.h"

#define CARD_FRAME_MAX 1514
#define CARD_BUFFER_LEN 2048u    // octets of a receive buffer
#define CARD_RECEIVE_CNT 128u    // buffers for received frames, in any card's ring
#define CARD_FRAMES 64           // frames that a card may hold
#define CARD_FRAMES_SURE 12      // frames that find room at any time if the card has sent all others
#define CARD_LARGE 14600         // octets of payload that are cut: the initial window (RFC 6928)
#define CARD_SPAN_LEN 4096u      // octets of a descriptor's that every card takes
// descriptors of a frame that is sent: WHIT_PUTS_MAX, one for the card, those of a long span
#define CARD_SPANS_MAX 17

struct card {
    const char *name;
    bool (*is)(const struct pci *device);
    // Starts it. The buffers are for received frames. False: it does not answer as it should.
    bool (*open)(const struct pci *device, uint8_t buffers[][CARD_BUFFER_LEN], uint8_t mac[6]);
    // The oldest received frame: returns its length in octets, or 0. The octets are valid until release().
    uint16_t (*received)(const uint8_t **octets);
    void (*release)(void);
    bool (*has_room)(void);                              // for a frame of CARD_SPANS_MAX
    void (*put)(const uint8_t *octets, uint16_t len);    // the next span of a frame
    void (*end)(void);                                   // the frame is complete
    bool (*cuts)(void);                                  // it sums and cuts TCP segments
    // Before the first span: the frame of `len` octets is such a segment; `head` has its headers (whit_driver_cut()).
    void (*cut)(uint8_t *head, uint16_t len, uint16_t payload);
    void (*go)(void);          // the card learns of all that was ended and released since
    uint16_t (*sent)(void);    // frames that it has sent since the last call
    void (*quiet)(void);       // acknowledges its interrupt: earlier frames cause no other
};

extern const struct card card_e1000, card_virtio;
extern const struct card *card;    // the one that is used
extern uint8_t card_mac[6];
extern uint32_t card_received_cnt, card_sent_cnt;    // frames

#endif
