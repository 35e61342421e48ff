// SPDX-License-Identifier: MIT
// The contract of a link driver: functions that the engine and the main loop call, and that the linker binds. The first
// half is required, the second half is optional.
//
// Main loop only: never call these functions, or the engine's, from an interrupt. An interrupt handler may store bytes
// or set a flag for whit_driver_poll(). The order of calls, as in ports/common/serve.c:
//
//   whit_driver_init()                         once
//   whit_init()                                once
//   for ever:
//       whit_driver_poll()                     passes received bytes: whit_input(); on Ethernet also
//                                              whit_input_end() after each frame
//       whit_tick()                            runs the timers that are due
//       while whit_output():                   sends one segment: whit_driver_ready(), _begin(),
//                                              _put() several times, _end()
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

// Memory of the bytes, how to read it, and how long it is valid.
enum whit_place {
    WHIT_IN_RAM,       // read directly; valid until whit_driver_put() returns
    WHIT_IN_BUFFER,    // read directly; valid until whit_driver_end() returns
    // Read with whit_flash_u8() where constants are not ordinary memory; always valid.
    WHIT_IN_FLASH,
    WHIT_IN_PERSISTENT,    // see whit_port_persistent_at(); valid until whit_driver_end() returns
};

// Limits of a frame: calls of whit_driver_put(), and bytes of WHIT_IN_RAM.
#define WHIT_PUTS_MAX 12
#define WHIT_PUTS_RAM 112

// ------------------------------------------------------------------------------------------------ required

// Initialises the hardware. False: the link does not work.
bool whit_driver_init(void);

// True if whit_driver_begin() would accept a frame now.
bool whit_driver_ready(void);

// Begins a frame of `len` bytes, or refuses it (false). After true, the engine calls whit_driver_put() until it has
// passed `len` bytes, and then whit_driver_end(). It calls no other function of the driver in between.
bool whit_driver_begin(uint16_t len);

// Takes the next bytes of the frame, at least one. place: enum whit_place. A driver that sends later copies bytes of
// WHIT_IN_RAM.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place);

// Ends the frame.
void whit_driver_end(void);

// Passes received bytes to the engine. True if there were any. A driver that may refuse a frame passes nothing while
// whit_driver_ready() is false; the hardware keeps received frames. The engine does not store the answer to a SYN: if
// whit_driver_begin() refuses it, it is lost.
bool whit_driver_poll(uint32_t now_ms);

// Waits until bytes arrive or `ms` milliseconds have passed.
void whit_driver_wait(uint32_t ms);

// ------------------------------------------------------------------------------------------------ optional

// WHIT_DRIVER_COPIES (whit/config.h) adds no function. The driver declares that whit_driver_put() has taken the bytes
// of all places when it returns. A segment may then have several TLS records, which reuse the same memory.

// WHIT_HAS_LARGE (whit/config.h): hardware that cuts TCP segments and computes their checksums.

// Returns the most payload bytes of a frame that the hardware cuts into segments; 0: the hardware cannot cut or sum.
uint16_t whit_driver_large(void);

// Announces that the next frame is such a segment, over IPv4, both headers without options. The hardware sends it as
// segments of at most `payload` bytes and computes their TCP checksums. The checksum field contains the sum of the
// pseudo header, not complemented. All bytes after the headers are in flash.
void whit_driver_cut(uint16_t payload);

// WHIT_KEEPS_FRAMES, WHIT_GIVES_TURNS and WHIT_HOLDS_FRAMES (whit/config.h): a driver that keeps frames calls
// whit_input_again(), whit_input_whole() and whit_input_held() of whit/engine.h.

#ifdef __cplusplus
}
#endif

#endif
