// SPDX-License-Identifier: MIT
// The contract of a link driver: functions that the engine calls, bound when the image is linked.
// A driver passes received octets to whit_input() and, on Ethernet, ends each frame with whit_input_end().
#ifndef WHIT_DRIVER_H
#define WHIT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where octets are, and how they are read.
enum whit_place {
    WHIT_IN_RAM,           // read directly
    WHIT_IN_FLASH,         // read by whit_flash_u8(); matters only where constants are not ordinary memory
    WHIT_IN_PERSISTENT,    // see whit_port_persistent_at()
};

// A run of octets of an outgoing frame.
struct whit_span {
    const uint8_t *octets;
    uint16_t len;
    uint8_t place;    // enum whit_place
};

// The largest number of spans in a frame.
#define WHIT_SPANS_MAX 12

// Initialises the hardware. False: the link cannot be used.
bool whit_driver_init(void);

// True if whit_driver_transmit() would accept a frame now.
bool whit_driver_ready(void);

// Accepts the frame that consists of the spans, in their order, or refuses it as a whole (false). Octets in flash stay
// valid; the others, and `spans` itself, are valid during the call only: a driver that sends later copies them.
bool whit_driver_transmit(const struct whit_span *spans, uint8_t span_cnt);

// Passes received octets to the engine. Returns true if there were any. A driver that may refuse a frame passes nothing
// while whit_driver_ready() is false; received frames wait in the hardware. The answer to a SYN is stored nowhere: it would
// be lost if whit_driver_transmit() refused it.
bool whit_driver_poll(uint32_t now_ms);

// Waits until something arrives or `ms` have passed.
void whit_driver_wait(uint32_t ms);

#ifdef __cplusplus
}
#endif

#endif
