// SPDX-License-Identifier: MIT
// Knobs of a build. Each has a default. A port sets others in its port.cmake, as compile definitions of the target
// whit_engine; another build system sets them by -D. An application has its settings in app.toml; they reach the engine
// through whit_limits.h.
//
// `python tests/checks/knobs.py --write` makes the table in docs/porting.md from this file. The costs are those of
// apps/contacts on a Cortex-M3, without other knobs.
#ifndef WHIT_CONFIG_H
#define WHIT_CONFIG_H

#include "whit_flash.h"    // the port's header may set WHIT_FLASH_IS_MEMORY

// ---------------------------------------------------------------------------------------------- what the driver can do

// The driver passes a frame again that found no slot or no room. whit_input_end() returns which.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: 640 bytes of flash; 4 of RAM for each slot and each idle connection.
#ifndef WHIT_KEEPS_FRAMES
#define WHIT_KEEPS_FRAMES 0
#endif

// Reserves half of the slots for requests that were refused a slot before.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, for a driver that keeps no frame.
// Costs: 180 bytes of flash.
#ifndef WHIT_LEAVES_SLOTS
#define WHIT_LEAVES_SLOTS 0
#endif

// whit_input_whole() returns whether a frame that was not taken has all of its request. While a frame waits, a response
// of one segment is sent in two.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES, for a driver that gives turns by host.
// Costs: 110 bytes of flash.
#ifndef WHIT_GIVES_TURNS
#define WHIT_GIVES_TURNS 0
#endif

// whit_input_held() and whit_input_kept() acknowledge frames that the driver keeps.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES.
// Costs: 670 bytes of flash; 280 of RAM.
#ifndef WHIT_HOLDS_FRAMES
#define WHIT_HOLDS_FRAMES 0
#endif

// The driver has taken the bytes of all places when whit_driver_put() returns. A segment may then have several TLS
// records.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: 50 bytes of flash with HTTPS.
#ifndef WHIT_DRIVER_COPIES
#define WHIT_DRIVER_COPIES 0
#endif

// The engine calls whit_driver_large() and whit_driver_cut(): the hardware cuts a file into TCP segments and makes
// their checksums.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with set(port_segment template), without which it has no effect.
// Costs: 80 bytes of flash.
#ifndef WHIT_HAS_LARGE
#define WHIT_HAS_LARGE 0
#endif

// ------------------------------------------------------------------------------------------------ memory to spare

// Sends a FIN when an idle connection times out, or when another connection takes its place.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with WHIT_KEEPS_FRAMES.
// Costs: 1 280 bytes of flash; 512 of RAM, and 16 for each idle connection.
#ifndef WHIT_CLOSES_IDLE
#define WHIT_CLOSES_IDLE 0
#endif

// Number of SYN-ACKs and RSTs that are kept for retransmission, if app.toml has no `repeats`. With more than 64
// connections: 64.
// Default: 0. Unit: segments, at most 64.
// Set by: port.cmake.
// Costs: 830 bytes of flash; 32 of RAM for each.
#ifndef WHIT_REPEATS_USUAL
#define WHIT_REPEATS_USUAL 0
#endif

// Begins a response with the window that the host's last responses had, if app.toml has no `link.keep_window`.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: 360 bytes of flash; 4 of RAM for each host.
#ifndef WHIT_KEEPS_WINDOW_USUAL
#define WHIT_KEEPS_WINDOW_USUAL 0
#endif

// Number of results of the keyed hash that are cached.
// Default: 0. Unit: results, 0 or a power of two.
// Set by: port.cmake, with set(port_keyed_hash unrolled), without which it has no effect.
// Costs: 20 bytes of RAM for each.
#ifndef WHIT_HASHES_KEPT
#define WHIT_HASHES_KEPT 0
#endif

// Answers UDP with ICMP "port unreachable", and counts it.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, for the target whit_headers, so that all files see it.
// Costs: 310 bytes of flash; 28 of RAM.
#ifndef WHIT_HAS_UNREACHABLE
#define WHIT_HAS_UNREACHABLE 0
#endif

// Length of the data of an ICMP echo (ping) that is answered even if the shared buffer is full.
// Default: 64. Unit: bytes, at most 1472.
// Set by: port.cmake.
// Costs: the same number of bytes of RAM if it is above 64, or the shared buffer is smaller.
#ifndef WHIT_ECHO_OWN
#define WHIT_ECHO_OWN 64
#endif

// ------------------------------------------------------------------------------------------------ the machine

// whit_init() runs once, when all variables are zero, and does not clear them.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake.
// Costs: saves 90 bytes of flash.
#ifndef WHIT_STARTS_ONCE
#define WHIT_STARTS_ONCE 0
#endif

// Constants are in ordinary memory: one function computes checksums of both.
// Default: 0. Unit: 0 or 1.
// Set by: whit_flash.h of the port.
// Costs: nothing.
#ifndef WHIT_FLASH_IS_MEMORY
#define WHIT_FLASH_IS_MEMORY 0
#endif

// The keyed hash calls whit_port_hash() first, which uses a cipher of the machine.
// Default: 0. Unit: 0 or 1.
// Set by: port.cmake, with set(port_keyed_hash unrolled), without which it has no effect.
// Costs: the flash of the port's function.
#ifndef WHIT_HAS_PORT_HASH
#define WHIT_HAS_PORT_HASH 0
#endif

// Alignment of handlers' struct args_t and struct state_t in the shared buffer.
// Default: that of a pointer or of uint32_t, the larger one. Unit: bytes: 1, 2, 4 or 8.
// Set by: set(port_alignment N) in port.cmake; CMake option WHIT_ALIGNMENT.
// Costs: at 8, 8 bytes of flash, and some bytes of the shared buffer for each response.
#ifndef WHIT_ALIGNMENT
#define WHIT_ALIGNMENT (_Alignof(void *) > _Alignof(uint32_t) ? _Alignof(void *) : _Alignof(uint32_t))
#endif

// Speed counts more than flash, in the engine.
// Default: 0. Unit: 0 or 1.
// Set by: set(port_segment template) in port.cmake, with set(port_checksum wide).
// Costs: 400 bytes of flash; 72 of RAM.
#ifndef WHIT_FAST
#define WHIT_FAST 0
#endif

// Speed counts more than flash, in the database's client.
// Default: 0. Unit: 0 or 1.
// Set by: set(port_segment template) in port.cmake, with WHIT_FAST.
// Costs: RAM for each kept connection and each statement, only with a database.
#ifndef WHIT_DATABASE_FAST
#define WHIT_DATABASE_FAST 0
#endif

// The engine passes each line of the request log to whit_port_log().
// Default: 0. Unit: 0 or 1.
// Set by: CMake option WHIT_LOG.
// Costs: 5 200 bytes of flash; 1 400 of RAM.
#ifndef WHIT_HAS_LOG
#define WHIT_HAS_LOG 0
#endif

// A response has a reason phrase, and an error has a page with the reason.
// Default: 0. Unit: 0 or 1.
// Set by: CMake option WHIT_PAGES, with WHIT_LOG.
// Costs: 2 150 bytes of flash; 3 710 of RAM.
#ifndef WHIT_HAS_PAGES
#define WHIT_HAS_PAGES 0
#endif

// ----------------------------------------------------------------------------------------------- HTTPS and WS-Security

// Length of the longest TLS record that is sent.
// Default: 536. Unit: bytes: 140 to 16406.
// Set by: port.cmake.
// Costs: the same number of bytes of RAM with HTTPS.
#ifndef WHIT_TLS_RECORD
#define WHIT_TLS_RECORD 536
#endif

// Adds bytes to the shared buffer for a handshake, and for a received segment or record. A record without room is
// refused.
// Default: 1152. Unit: bytes.
// Set by: port.cmake.
// Costs: the same number of bytes of RAM with HTTPS.
#ifndef WHIT_TLS_BUFFER
#define WHIT_TLS_BUFFER 1152
#endif

// Number of keys of TLS records that are cached. Deriving a key takes 20 blocks of SHA-256.
// Default: 1. Unit: keys, 1 to 65536.
// Set by: port.cmake.
// Costs: 52 bytes of RAM for each with HTTPS; above 1, 140 of flash.
#ifndef WHIT_TLS_KEYS
#define WHIT_TLS_KEYS 1
#endif

// Idle connections of HTTPS, if app.toml has no `https.idle`.
// Default: 4. Unit: connections.
// Set by: port.cmake.
// Costs: 72 bytes of RAM for each with HTTPS.
#ifndef WHIT_HTTPS_IDLE_USUAL
#define WHIT_HTTPS_IDLE_USUAL 4
#endif

// Number of messages of WS-Security that are remembered to detect replays.
// Default: 16. Unit: messages.
// Set by: port.cmake.
// Costs: 8 bytes of RAM for each with WS-Security.
#ifndef WHIT_WSS_SEEN
#define WHIT_WSS_SEEN 16
#endif

// Interval at which the time of messages is saved. After a restart, messages from the last interval are refused.
// Default: 64. Unit: seconds.
// Set by: port.cmake.
// Costs: a write to persistent memory for each interval with messages.
#ifndef WHIT_WSS_STEP_S
#define WHIT_WSS_STEP_S 64
#endif

// ------------------------------------------------------------------------------------------------ tests

// Closes a connection after its response when all idle places but one are promised to others. The last place is for
// connections that end. With many places it has no effect: the places of a set are seldom all taken.
// Default: 1 for up to 64 connections and 2 to 4 idle ones (to 64 with WHIT_HAS_PAGES), else 0. Unit: 0 or 1.
// Set by: fuzzers.
// Costs: 80 bytes of flash.
#ifndef WHIT_PROMISES
#define WHIT_PROMISES (WHIT_IDLE >= 2 && WHIT_CONNECTIONS <= 64 && WHIT_IDLE <= (WHIT_HAS_PAGES ? 64 : 4))
#endif

// Calls whit_broken() of the port when an invariant of the engine does not hold.
// Default: undefined. Unit: defined or not.
// Set by: test builds.
// Costs: a test and a text for each invariant.
// #define WHIT_CHECKED 1

// Counts checksum operations, and how long memory of the shared buffer is occupied.
// Default: undefined. Unit: defined or not.
// Set by: CMake option WHIT_METER, for test builds.
// Costs: 540 bytes of flash; 2 210 of RAM.
// #define WHIT_METER 1

// Compiles engine/tls without an application. 1: with early data.
// Default: undefined. Unit: undefined, 0 or 1.
// Set by: test builds.
// Costs: nothing.
// #define WHIT_TLS_ALONE 0

// ------------------------------------------------------------------------------------------------ contradictions

#if (WHIT_GIVES_TURNS || WHIT_HOLDS_FRAMES || WHIT_CLOSES_IDLE) && !WHIT_KEEPS_FRAMES
#error WHIT_GIVES_TURNS, WHIT_HOLDS_FRAMES, WHIT_CLOSES_IDLE: for a driver that keeps frames: set WHIT_KEEPS_FRAMES=1
#endif
#if WHIT_LEAVES_SLOTS && WHIT_KEEPS_FRAMES
#error WHIT_LEAVES_SLOTS is for a driver that keeps no frame, WHIT_KEEPS_FRAMES for one that does: set one of them
#endif
#if WHIT_HAS_PAGES && !WHIT_HAS_LOG
#error WHIT_HAS_PAGES: an error page says what the request log says: set WHIT_HAS_LOG=1, or WHIT_LOG=ON of CMake
#endif
#if WHIT_REPEATS_USUAL < 0 || WHIT_REPEATS_USUAL > 64
#error WHIT_REPEATS_USUAL: expected 0 to 64 segments
#endif
#if WHIT_HASHES_KEPT < 0 || (WHIT_HASHES_KEPT & (WHIT_HASHES_KEPT - 1)) != 0
#error WHIT_HASHES_KEPT: expected 0 or a power of two
#endif
#if WHIT_ECHO_OWN < 0 || WHIT_ECHO_OWN > 1472
#error WHIT_ECHO_OWN: expected 0 to 1472 bytes, the data of an echo in one Ethernet frame
#endif
#if WHIT_TLS_RECORD < 140 || WHIT_TLS_RECORD > 16406
#error WHIT_TLS_RECORD: expected 140 to 16406 bytes, from a ServerHello to the longest record of RFC 8446
#endif
#if WHIT_TLS_BUFFER < 0 || WHIT_TLS_BUFFER > 61440
#error WHIT_TLS_BUFFER: expected 0 to 61440 bytes, and with the buffer of app.toml no more than 61440
#endif
#if WHIT_TLS_KEYS < 1 || WHIT_TLS_KEYS > 65536
#error WHIT_TLS_KEYS: expected 1 to 65536
#endif
#if WHIT_HTTPS_IDLE_USUAL < 0 || WHIT_HTTPS_IDLE_USUAL > 100000
#error WHIT_HTTPS_IDLE_USUAL: expected 0 to 100000 connections
#endif
#if WHIT_WSS_SEEN < 1 || WHIT_WSS_STEP_S < 1
#error WHIT_WSS_SEEN, WHIT_WSS_STEP_S: expected 1 or more
#endif

#endif
