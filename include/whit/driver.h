// SPDX-License-Identifier: MIT
// The contract of a link driver: functions that the engine and the main loop call, and that the linker binds. The first
// half is required, the second half is optional.
//
// Main loop only: never call these functions, or the engine's, from an interrupt. An interrupt handler may store octets
// or set a flag for whit_driver_poll(). The order of calls, as in ports/common/serve.c:
//
//   whit_driver_init()                         once
//   whit_init()                                once
//   for ever:
// whit_driver_poll()                     passes received octets: whit_input(), and on Ethernet whit_input_end() after
// each frame
//       whit_tick()                            runs the timers that are due
// while whit_output():                   sends one segment: whit_driver_ready(), _begin(), _put() several times, _end()
//       whit_driver_wait(whit_next_ms())       sleeps
//
// whit_input(), whit_input_end() and whit_tick() may send as well: they call whit_driver_begin(), _put() and _end().
#ifndef WHIT_DRIVER_H
#define WHIT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where octets are, how they are read, and until when they are valid.
enum whit_place {
    WHIT_IN_RAM,       // read directly; valid until whit_driver_put() returns
    WHIT_IN_BUFFER,    // read directly; valid until whit_driver_end() returns
    // read by whit_flash_u8(), which matters only where constants are not ordinary memory; always valid
    WHIT_IN_FLASH,
    WHIT_IN_PERSISTENT,    // see whit_port_persistent_at(); valid until whit_driver_end() returns
};

// The most that a frame has: calls of whit_driver_put(), and octets of them that are in RAM.
#define WHIT_PUTS_MAX 12
#define WHIT_PUTS_RAM 112

// ------------------------------------------------------------------------------------------------ required

// Initialises the hardware. False: the link cannot be used.
bool whit_driver_init(void);

// True if whit_driver_begin() would accept a frame now.
bool whit_driver_ready(void);

// Begins a frame of `len` octets, or refuses it (false). After true, whit_driver_put() is called until it has got `len`
// octets, and then whit_driver_end(); no other function of the driver is called before that.
bool whit_driver_begin(uint16_t len);

// Takes the next octets of the frame, one or more. place: enum whit_place. A driver that sends later copies those of
// RAM.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place);

// The frame is complete.
void whit_driver_end(void);

// Passes received octets to the engine. Returns true if there were any. A driver that may refuse a frame passes nothing
// while whit_driver_ready() is false; received frames wait in the hardware. The answer to a SYN is stored nowhere: it
// would be lost if whit_driver_begin() refused it.
bool whit_driver_poll(uint32_t now_ms);

// Waits until something arrives or `ms` have passed.
void whit_driver_wait(uint32_t ms);

// ------------------------------------------------------------------------------------------------ optional

// WHIT_DRIVER_COPIES (whit/config.h) adds no function. It says that whit_driver_put() has taken the octets when it
// returns, from every place. A segment then has several TLS records, each made where the one before it was.

// WHIT_HAS_LARGE (whit/config.h): hardware that cuts TCP segments and makes their checksums.

// Most octets of payload in a frame that the hardware cuts into segments; 0: it can do neither.
uint16_t whit_driver_large(void);

// The next frame that begins is such a segment, over IPv4, both headers without options. The hardware sends it as
// segments of at most `payload` octets and makes their TCP checksums; in their place stands the sum of the pseudo
// header, not complemented. All that is put behind the headers is in flash.
void whit_driver_cut(uint16_t payload);

// WHIT_KEEPS_FRAMES, WHIT_GIVES_TURNS and WHIT_HOLDS_FRAMES (whit/config.h): a driver that keeps frames calls
// whit_input_again(), whit_input_whole() and whit_input_held() of whit/engine.h.

#ifdef __cplusplus
}
#endif

#endif
