// SPDX-License-Identifier: MIT
// Knobs of a build. Each has a default; a port sets others in its port.cmake, by compile definitions of the target whit_engine, and
// somebody else's build system by -D. What an application sets stands in app.toml, and reaches the engine by whit_limits.h.
//
// tests/checks/knobs.py --write makes the table of docs/porting.md of this file. Costs are those of the address book on a Cortex-M3.
#ifndef WHIT_CONFIG_H
#define WHIT_CONFIG_H

// The driver offers frames again that found no slot or no room. whit_input_end() says which.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: 430 octets of flash; 80 of RAM, and 4 for each idle connection.
#ifndef WHIT_KEEPS_FRAMES
#define WHIT_KEEPS_FRAMES 0
#endif

// Half of the slots are left to requests that found none, so that these find one when they come again.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, for a driver that keeps no frame.
// Costs: 190 octets of flash; 2 of RAM.
#ifndef WHIT_LEAVES_SLOTS
#define WHIT_LEAVES_SLOTS 0
#endif

// The driver gives turns: whit_input_whole() says whether a request is whole. While a frame waits, an answer of one segment leaves in
// two.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES.
// Costs: 120 octets of flash.
#ifndef WHIT_GIVES_TURNS
#define WHIT_GIVES_TURNS 0
#endif

// The peers of kept frames are told so: whit_input_held() and what follows it.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES.
// Costs: 780 octets of flash; 280 of RAM.
#ifndef WHIT_HOLDS_FRAMES
#define WHIT_HOLDS_FRAMES 0
#endif

// An idle connection whose time is over is closed by a FIN. Without WHIT_KEEPS_FRAMES it has no effect.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES.
// Costs: 1 290 octets of flash; 770 of RAM, of these 16 for each idle connection.
#ifndef WHIT_CLOSES_IDLE
#define WHIT_CLOSES_IDLE 0
#endif

// SYN-ACKs and RSTs that may be sent again at a time, where app.toml has no `repeats`. With more than 64 connections it is 64.
// Default: 0. Unit: segments.
// Set by: port.cmake.
// Costs: 820 octets of flash; 27 of RAM for each.
#ifndef WHIT_REPEATS_USUAL
#define WHIT_REPEATS_USUAL 0
#endif

// A host's next response begins with the window that its last ones had, where app.toml has no `link.keep_window`.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: 340 octets of flash; 4 of RAM for each host.
#ifndef WHIT_KEEPS_WINDOW_USUAL
#define WHIT_KEEPS_WINDOW_USUAL 0
#endif

// Results of the unrolled keyed hash that are kept: most are asked for again.
// Default: 0. Unit: results, a power of two.
// Set by: port.cmake, with port_keyed_hash unrolled.
// Costs: 20 octets of RAM for each.
#ifndef WHIT_HASHES_KEPT
#define WHIT_HASHES_KEPT 0
#endif

// The keyed hash asks whit_port_hash() first, a cipher that the machine has.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with port_keyed_hash unrolled.
// Costs: a call for each hash.
#ifndef WHIT_HAS_PORT_HASH
#define WHIT_HAS_PORT_HASH 0
#endif

// Files leave by whit_driver_cut(), on hardware that sums and cuts TCP segments.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with port_segment template.
// Costs: 84 octets of flash.
#ifndef WHIT_HAS_LARGE
#define WHIT_HAS_LARGE 0
#endif

// UDP is answered by ICMP "port unreachable", and counted.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, for the target whit_headers, so that all files see it.
// Costs: 310 octets of flash; 30 of RAM.
#ifndef WHIT_HAS_UNREACHABLE
#define WHIT_HAS_UNREACHABLE 0
#endif

// Echo data (ping) that are answered whatever the shared buffer holds.
// Default: 64. Unit: octets.
// Set by: port.cmake.
// Costs: as many octets of RAM, where it is above 64 or the shared buffer is smaller.
#ifndef WHIT_ECHO_OWN
#define WHIT_ECHO_OWN 64
#endif

// whit_init() is called once, when all variables are zero: it does not set them.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: saves 90 octets of flash.
#ifndef WHIT_STARTS_ONCE
#define WHIT_STARTS_ONCE 0
#endif

// The driver has taken the octets when whit_driver_put() returns. A segment may then have several records of TLS.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: nothing.
#ifndef WHIT_DRIVER_COPIES
#define WHIT_DRIVER_COPIES 0
#endif

// Constants are ordinary memory: their checksum is that of memory.
// Default: 0. Unit: 0 or 1.
// Set by: the port's whit_flash.h.
// Costs: nothing; saves instructions.
#ifndef WHIT_FLASH_IS_MEMORY
#define WHIT_FLASH_IS_MEMORY 0
#endif

// The longest record that is sent.
// Default: 536. Unit: octets.
// Set by: port.cmake.
// Costs: as many octets of RAM, with HTTPS.
#ifndef WHIT_TLS_RECORD
#define WHIT_TLS_RECORD 536
#endif

// Room in the shared buffer for a handshake, and for a segment or a record that comes in. A record that finds no room there is refused.
// Default: 1152. Unit: octets.
// Set by: port.cmake.
// Costs: as many octets of RAM, with HTTPS.
#ifndef WHIT_TLS_BUFFER
#define WHIT_TLS_BUFFER 1152
#endif

// Keys of records that are kept. Another one is derived anew by 20 blocks of SHA-256 when a record wants it.
// Default: 1. Unit: keys.
// Set by: port.cmake.
// Costs: 52 octets of RAM for each, with HTTPS.
#ifndef WHIT_TLS_KEYS
#define WHIT_TLS_KEYS 1
#endif

// Idle connections under TLS, where app.toml has no `https.idle`.
// Default: 4. Unit: connections.
// Set by: port.cmake.
// Costs: 72 octets of RAM for each, with HTTPS.
#ifndef WHIT_HTTPS_IDLE_USUAL
#define WHIT_HTTPS_IDLE_USUAL 4
#endif

// Messages that are remembered, so that none runs twice.
// Default: 16. Unit: messages.
// Set by: port.cmake.
// Costs: 8 octets of RAM for each, with WS-Security.
#ifndef WHIT_WSS_SEEN
#define WHIT_WSS_SEEN 16
#endif

// Time between two writes of the time that messages had. A restart may cost callers so long.
// Default: 64. Unit: seconds.
// Set by: port.cmake.
// Costs: the smaller, the more writes to persistent memory.
#ifndef WHIT_WSS_STEP_S
#define WHIT_WSS_STEP_S 64
#endif

// The request log: whit_port_log() gets its lines.
// Default: 0. Unit: 0 or 1.
// Set by: CMake: WHIT_LOG.
// Costs: the kept request line and field line of each connection in RAM, and the words of the log in flash.
#ifndef WHIT_HAS_LOG
#define WHIT_HAS_LOG 0
#endif

// Responses have reason phrases, and errors a page that tells the reason.
// Default: 0. Unit: 0 or 1.
// Set by: CMake: WHIT_PAGES.
// Costs: 540 octets of flash.
#ifndef WHIT_HAS_PAGES
#define WHIT_HAS_PAGES 0
#endif

// Instructions count more than octets of flash.
// Default: 0. Unit: 0 or 1.
// Set by: CMake: port_segment template.
// Costs: 340 octets of flash; 65 of RAM.
#ifndef WHIT_FAST
#define WHIT_FAST 0
#endif

// Blocks of the shared buffer begin at multiples of it: handlers' struct args_t and struct state_t, with their pointers. The default is
// the most that an address or 32 bits need.
// Default: see below. Unit: octets.
// Set by: CMake: port_alignment.
// Costs: some octets of the shared buffer for each response.
#ifndef WHIT_ALIGNMENT
#define WHIT_ALIGNMENT (_Alignof(void *) > _Alignof(uint32_t) ? _Alignof(void *) : _Alignof(uint32_t))
#endif

// Contradictions.
#if (WHIT_GIVES_TURNS || WHIT_HOLDS_FRAMES) && !WHIT_KEEPS_FRAMES
#error WHIT_GIVES_TURNS and WHIT_HOLDS_FRAMES are for a driver that keeps frames: set WHIT_KEEPS_FRAMES=1
#endif
#if WHIT_LEAVES_SLOTS && WHIT_KEEPS_FRAMES
#error WHIT_LEAVES_SLOTS is for a driver that keeps no frame, WHIT_KEEPS_FRAMES for one that does: set one of them
#endif
#if (WHIT_HASHES_KEPT & (WHIT_HASHES_KEPT - 1)) != 0
#error WHIT_HASHES_KEPT: expected 0 or a power of two
#endif
#if WHIT_ECHO_OWN < 0 || WHIT_ECHO_OWN > 1472
#error WHIT_ECHO_OWN: expected 0 to 1472 octets, the data of an echo in one Ethernet frame
#endif
#if WHIT_TLS_KEYS < 1
#error WHIT_TLS_KEYS: expected 1 or more
#endif
#if WHIT_WSS_SEEN < 1 || WHIT_WSS_STEP_S < 1
#error WHIT_WSS_SEEN, WHIT_WSS_STEP_S: expected 1 or more
#endif

#endif
