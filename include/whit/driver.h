// SPDX-License-Identifier: MIT
// The contract of a link driver: functions that the engine calls, bound when the image is linked.
// A driver passes received octets to whit_input() and, on Ethernet, ends each frame with whit_input_end().
//
// All of it runs in the main loop only, never in an interrupt; an interrupt may put octets aside for whit_driver_poll(). The order:
//
//   whit_driver_init(), whit_init()
//   for ever:
//       while whit_driver_poll():        received octets: whit_input(), whit_input_end()
//       whit_tick()                      what is due
//       while whit_output():             whit_driver_ready(), _begin(), _put() as often as it needs, _end()
//       whit_driver_wait(whit_next_ms())
#ifndef WHIT_DRIVER_H
#define WHIT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where octets are, how they are read, and until when they are valid.
enum whit_place {
    WHIT_IN_RAM,           // read directly; valid until whit_driver_put() returns
    WHIT_IN_BUFFER,        // read directly; valid until whit_driver_end() returns
    WHIT_IN_FLASH,         // read by whit_flash_u8(), which matters only where constants are not ordinary memory; always valid
    WHIT_IN_PERSISTENT,    // see whit_port_persistent_at(); valid until whit_driver_end() returns
};

// The most that a frame has: calls of whit_driver_put(), and octets of them that are in RAM.
#define WHIT_PUTS_MAX 12
#define WHIT_PUTS_RAM 112

// A port whose driver has taken the octets when whit_driver_put() returns, wherever they are, may say so by its build:
// WHIT_DRIVER_COPIES=1. Then a segment has several records of TLS, each made in the place of the one before it.

// Initialises the hardware. False: the link cannot be used.
bool whit_driver_init(void);

// True if whit_driver_begin() would accept a frame now.
bool whit_driver_ready(void);

// Begins a frame of `len` octets, or refuses it (false). After true, whit_driver_put() is called until it has got `len`
// octets, and then whit_driver_end(); no other function of the driver is called before that.
bool whit_driver_begin(uint16_t len);

// Takes the next octets of the frame, one or more. place: enum whit_place. A driver that sends later copies those of RAM.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place);

// The frame is complete.
void whit_driver_end(void);

// Passes received octets to the engine. Returns true if there were any. A driver that may refuse a frame passes nothing
// while whit_driver_ready() is false; received frames wait in the hardware. The answer to a SYN is stored nowhere: it would
// be lost if whit_driver_begin() refused it.
bool whit_driver_poll(uint32_t now_ms);

// Waits until something arrives or `ms` have passed.
void whit_driver_wait(uint32_t ms);

// ------------------------------------------------------------------------------------------------ optional

// WHIT_HAS_LARGE (config.h): hardware that sums and cuts TCP segments.

// Octets of payload that a segment may have to be cut; 0: the hardware can do neither.
uint16_t whit_driver_large(void);

// The frame that is begun next is such a segment, over IPv4, both headers without options. The hardware sends it as segments of so many octets
// at most and makes their TCP checksums; in their place stands the sum of the pseudo header, not complemented. All that is put behind the
// headers is in flash.
void whit_driver_cut(uint16_t payload);

#ifdef __cplusplus
}
#endif

#endif
