// SPDX-License-Identifier: MIT
// The engine's functions for a main loop.
//
// A program contains one engine. A device has one address, so the state is one object, and 8-bit code needs no handle
// to it. The engine has no heap, does no I/O and reads no clock. Bytes arrive through whit_input(), time is the
// argument `now_ms` (milliseconds, modulo 2^32), frames leave through whit/driver.h.
//
// Main loop only: never call these functions from an interrupt or from each other. whit_init() comes first. Then, in
// turn: whit_input() and whit_input_end() for received bytes, whit_tick(), whit_output() until it returns false, and a
// sleep of at most whit_next_ms(). whit/driver.h sketches the loop. The functions from whit_input_again() to
// whit_slots_of() are optional: a driver that keeps frames calls them (WHIT_KEEPS_FRAMES of whit/config.h).
#ifndef WHIT_ENGINE_H
#define WHIT_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/config.h"
#include "whit/public.h"
#include "whit_limits.h"

#ifdef __cplusplus
extern "C" {
#endif

// Addresses of this device on the link, in network byte order. The caller owns the struct; it must stay valid as long
// as the engine is used.
struct whit_network {
    uint8_t mac[6];    // Ethernet only
    uint8_t address[4];
    uint8_t gateway[4];    // 0.0.0.0: no gateway, every peer is on the link
    uint8_t prefix_len;    // bits of the network's prefix, 0..32
};

// Resets the engine, draws a secret from the port and runs the application's init handlers.
WHIT_PUBLIC void whit_init(const struct whit_network *network, uint32_t now_ms);

// Takes `len` received bytes of the link, in pieces of any length. They take effect when their frame ends and its
// checksums are right. On Ethernet the bytes are a frame without preamble and FCS, and whit_input_end() ends it. On
// SLIP they are the raw bytes of the line, and END ends the frame.
WHIT_PUBLIC void whit_input(const uint8_t *octets, uint16_t len, uint32_t now_ms);

// Result of a frame. A driver that keeps frames may pass a frame that was not taken again, after others. Without that,
// the peer retransmits it.
enum whit_taken {
    WHIT_NO_SLOT,    // its connection needs a slot, and all slots are busy
    WHIT_TAKEN,      // taken or dropped
    WHIT_NO_ROOM,    // no room for the request that it begins
    WHIT_WAITS,      // its connection has a slot, and waits for room or for earlier bytes
    WHIT_AHEAD,      // its connection is idle, and waits for earlier bytes
    WHIT_NO_TURN,    // its connection needs a slot, and its host has reached its limit of handshakes in progress
    // Taken in part. Pass the frame again at once, until the result is another one.
    WHIT_PART,
};

// Ends a frame and returns its result. Ethernet only.
WHIT_PUBLIC enum whit_taken whit_input_end(uint32_t now_ms);

// Announces that the next frame was passed before and not taken. It acknowledges the same bytes as then. `said`: the
// last result of whit_input_end() for this frame. Only with WHIT_KEEPS_FRAMES=1, as in the port.cmake of ports/linux.
WHIT_PUBLIC void whit_input_again(enum whit_taken said);

// True if the frame contains its whole request, or its whole hello. Call it after whit_input_end() returned that the
// frame needs a slot, room or a turn.
WHIT_PUBLIC bool whit_input_whole(void);

// Message to the peer if there is still no slot and no room.
enum whit_held {
    WHIT_HOLD = 1,    // Acknowledges the request; the peer does not retransmit it. The frame waits from now on.
    WHIT_ASK,         // Probes the peer, which answers with a segment without data if it still exists.
    WHIT_LET_GO,      // Sends a RST and drops the frame: the request is not answered.
    // Sends nothing. The frame is the first of a host that has waited: the response that was served longest gives up
    // its slot.
    WHIT_URGE,
};

// Sends a message to the peer of a frame that waits for long; call it after whit_input_again(). A driver that passes
// WHIT_HOLD keeps the frame until it is taken. It probes the client now and then, and drops a client that was silent
// for long (drivers/later.c). Without WHIT_HOLDS_FRAMES=1 nothing is sent. A frame with a message takes no slot from
// others.
WHIT_PUBLIC void whit_input_held(enum whit_held how);

// Acknowledge bytes that the driver keeps. Only with WHIT_HOLDS_FRAMES=1, after whit_input_end() returned WHIT_WAITS
// and before any other call. whit_input_next() returns the first sequence number of the frame's connection that is not
// acknowledged, in host order. False: the connection has no slot, or nothing is kept for it. whit_input_kept()
// acknowledges all bytes from there up to `seq`. The driver must keep them until they are taken. If it cannot, it
// passes one of the frames with WHIT_LET_GO, which resets the connection.
WHIT_PUBLIC bool whit_input_next(uint32_t *seq);
WHIT_PUBLIC void whit_input_kept(uint32_t seq);

// Returns the number of slots that a host uses. address: host order.
WHIT_PUBLIC uint16_t whit_slots_of(uint32_t address);

// Runs the timers that are due. Call it at least when whit_next_ms() has passed; more calls are harmless.
WHIT_PUBLIC void whit_tick(uint32_t now_ms);

// Passes one waiting segment to the driver. False: no segment waits, or the driver refused it.
WHIT_PUBLIC bool whit_output(uint32_t now_ms);

// Returns the milliseconds until the next timer is due: 0 if one is due, at most 60 000.
WHIT_PUBLIC uint32_t whit_next_ms(uint32_t now_ms);

// Drops and events that are counted. A counter stops at its largest number. counter_bits in app.toml sets its width;
// with 0 nothing is counted, and the array is in the image only if something reads it.
enum whit_counter {
    WHIT_COUNT_FRAMES_IN,      // frames that ended
    WHIT_COUNT_FRAMES_OUT,     // frames that the driver took
    WHIT_COUNT_DRIVER_BUSY,    // answers lost because the driver took no frame
    WHIT_DROP_FRAME_SHORT,     // a frame that ends inside a header
    WHIT_DROP_FRAME_LINE,      // SLIP: a wrong escape or no END within the MTU
    WHIT_DROP_FOREIGN,         // EtherType, destination MAC or address, or protocol that is not ours
    WHIT_DROP_ARP,             // ARP that is malformed or claims our address
    WHIT_DROP_IP_HEADER,       // IPv4 version, header length, total length, source address
    WHIT_DROP_IP_CHECKSUM,
    WHIT_DROP_IP_FRAGMENT,
    WHIT_DROP_ICMP,          // not an echo request, wrong checksum, or larger than the free buffer
    WHIT_DROP_TCP_HEADER,    // data offset, option, flags that no segment may have
    WHIT_DROP_TCP_CHECKSUM,
    WHIT_DROP_TCP_MSS,                // SYN with an MSS below 88
    WHIT_DROP_TCP_UNKNOWN,            // segment of no connection: answered by RST where RFC 9293 requires it
    WHIT_DROP_TCP_SEQUENCE,           // out of window, ahead of a gap, old duplicate
    WHIT_DROP_TCP_ACK,                // acknowledges bytes that were never sent
    WHIT_COUNT_CHALLENGE_ACK,         // RFC 5961
    WHIT_DROP_NO_SLOT,                // first segment of a request while every slot is busy
    WHIT_DROP_NO_BUFFER,              // bytes for which the shared buffer had no room: the peer retransmits them
    WHIT_COUNT_SLOT_EVICTED,          // stalled connection that made room for a newcomer
    WHIT_COUNT_TAG_EVICTED,           // idle connection that made room for a newer one
    WHIT_COUNT_RETRANSMIT_TIMEOUT,    // RFC 6298
    WHIT_COUNT_RETRANSMIT_FAST,       // RFC 5681, 6582
    WHIT_COUNT_TAIL_PROBE,            // RFC 8985, section 7
    WHIT_COUNT_GIVEN_UP,              // connection whose peer did not answer for more than 100 s
    // response that was reset: its generator wrote other content when it ran again, or its stored content was replaced
    WHIT_COUNT_CHANGED,
    // idempotent or volatile response that was buffered: expensive to run again, or longer than a segment
    WHIT_COUNT_KEPT,
    WHIT_COUNT_REQUESTS,    // requests answered with a 2xx or 3xx status
    WHIT_COUNT_REFUSED,     // requests answered with a 4xx or 5xx status
    // UDP datagrams answered by ICMP "port unreachable"; only with WHIT_HAS_UNREACHABLE
    WHIT_COUNT_UNREACHABLE,
    // hello of a host that has reached its limit of handshakes in progress: the peer retransmits it; only with HTTPS
    WHIT_DROP_HANDSHAKE = WHIT_COUNT_UNREACHABLE + WHIT_HAS_UNREACHABLE,
    WHIT_COUNTER_CNT = WHIT_DROP_HANDSHAKE + WHIT_TLS
};
#if WHIT_COUNTER_BITS <= 8
typedef uint8_t whit_count;
#else
typedef uint16_t whit_count;
#endif
extern WHIT_PUBLIC whit_count whit_counters[WHIT_COUNTER_CNT];

// True if the engine makes lines of the request log. A port sets it to false if its log is not read. Only in an image
// with the request log.
extern WHIT_PUBLIC bool whit_log_lines;

// Builds with WHIT_METER count how long memory of the shared buffer is occupied, by class of data (the memory charge of
// EMSOFT 2009, section 4.2). An image for a device does not contain the meter.
#ifdef WHIT_METER
enum whit_meter_class {
    WHIT_METER_CONTENT,
    WHIT_METER_POINTS /* rerun points, continuations */,
    WHIT_METER_REQUEST /* arguments, input */,
    WHIT_METER_CLASSES
};
#define WHIT_METER_RESOURCES 64    // resources after these are not counted
struct whit_meter_resource {
    uint32_t response_cnt;                  // responses that ended
    uint64_t charge[WHIT_METER_CLASSES];    // their charge in byte milliseconds
};
extern WHIT_PUBLIC struct whit_meter_resource whit_meter_resources[WHIT_METER_RESOURCES];
#endif

#ifdef __cplusplus
}
#endif

#endif
