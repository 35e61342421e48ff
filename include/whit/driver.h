// SPDX-License-Identifier: MIT
// What a link driver gives to the engine: a contract of names, bound when the image is linked.
// A driver hands received octets to whit_input() and, on Ethernet, ends each frame with whit_input_end().
#ifndef WHIT_DRIVER_H
#define WHIT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where octets are, and how they are read.
enum whit_place {
    WHIT_IN_RAM,           // as they are
    WHIT_IN_FLASH,         // by whit/port.h's flash access; only where constants are not ordinary memory does it matter
    WHIT_IN_PERSISTENT,    // as whit_port_persistent_at() of the port says
};

// A run of octets of an outgoing frame.
struct whit_span {
    const uint8_t *octets;
    uint16_t len;
    uint8_t place;    // enum whit_place
};

// Most spans of one frame.
#define WHIT_SPANS_MAX 10

// Sets the hardware up. False: the link cannot be used.
bool whit_driver_init(void);

// True when whit_driver_transmit() would take a frame now.
bool whit_driver_ready(void);

// Takes the frame that the spans make, in their order, or refuses it whole. Octets in flash stay where they are; the
// others, and `spans` itself, are good during the call: a driver that sends later copies them.
bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt);

// Gives what has arrived to the engine. Returns true if anything had. A driver that may refuse a frame gives the engine none
// while it would: they wait where they were received. The answer to a SYN is kept nowhere, and is lost when it finds no place.
bool whit_driver_poll(uint32_t now_ms);

// Waits until something arrives or `ms` have passed.
void whit_driver_wait(uint32_t ms);

#ifdef __cplusplus
}
#endif

#endif
