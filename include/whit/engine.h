// SPDX-License-Identifier: MIT
// The engine's functions for a main loop.
//
// A program contains one engine: a device has one address, so the state is one object, and 8-bit code needs no
// handle to it. The engine has no heap, does no I/O and reads no clock: octets arrive by whit_input(), time is the
// argument `now_ms`, frames leave through whit/driver.h.
//
// Main loop only: never from an interrupt, and never from inside another of these functions. whit_init() comes first.
// Then, in turn: whit_input() and whit_input_end() for what was received, whit_tick(), whit_output() until it returns
// false, and a sleep of whit_next_ms() at most. whit/driver.h sketches the loop. Optional are whit_input_again() and
// what follows it up to whit_slots_of(): they are for a driver that keeps frames (WHIT_KEEPS_FRAMES of whit/config.h).
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

// Our addresses on the link, in network byte order. Owned by the caller; must stay valid as long as the engine is used.
struct whit_network {
    uint8_t mac[6];    // Ethernet only
    uint8_t address[4];
    uint8_t gateway[4];    // 0.0.0.0: no gateway, every peer is on the link
    uint8_t prefix_len;    // bits of the network's prefix, 0..32
};

// Forgets everything, draws a secret from the port and runs the application's init handlers.
WHIT_PUBLIC void whit_init(const struct whit_network *network, uint32_t now_ms);

// Reads `len` octets from the link, in any split. They take effect when their frame ends and its checksums are right.
// On Ethernet the octets are a frame without preamble and FCS, and whit_input_end() ends it; on SLIP they are the raw
// octets of the line, and END ends the frame.
WHIT_PUBLIC void whit_input(const uint8_t *octets, uint16_t len, uint32_t now_ms);

// What became of a frame. A driver that keeps frames may pass one that was not taken again after others; otherwise the
// sender's retransmission brings it.
enum whit_taken {
    WHIT_NO_SLOT,    // its connection needs one, and there is none
    WHIT_TAKEN,      // or dropped
    WHIT_NO_ROOM,    // for the request that it begins
    WHIT_WAITS,      // its connection has a slot: for room, or for octets that come before
    WHIT_AHEAD,      // its connection is idle: for octets that come before
    WHIT_NO_TURN,    // its connection needs a slot, and its host has as many handshakes under way as it may
    // some of it was taken, and perhaps read: it is offered again at once, until something else is said
    WHIT_PART,
};

// Ends a frame.
WHIT_PUBLIC enum whit_taken whit_input_end(uint32_t now_ms);

// The frame that comes next was passed before, and was not taken: it acknowledges what it acknowledged then. said: what
// whit_input_end() said of it last. Needs an engine that is compiled with WHIT_KEEPS_FRAMES=1, as the port.cmake of
// ports/linux does.
WHIT_PUBLIC void whit_input_again(enum whit_taken said);

// Of a frame that whit_input_end() said wants a slot, room or a turn: all of its request, or of its hello, is in it.
WHIT_PUBLIC bool whit_input_whole(void);

// What the peer is told if there is no slot and no room this time either.
enum whit_held {
    WHIT_HOLD = 1,    // its request is here: it need not send it again. From now on it waits in silence
    WHIT_ASK,         // is it still there? A peer that is answers by a segment without data
    WHIT_LET_GO,      // its request will not be answered: a RST. The frame is taken
    // nothing; but it is a newcomer's, who has waited: the response that was served longest gives up its slot
    WHIT_URGE,
};

// The frame for which whit_input_again() was called waits for long. A driver that says WHIT_HOLD keeps the frame until
// it is taken, asks now and then, and lets a client go that was silent for long (drivers/later.c). Without
// WHIT_HOLDS_FRAMES=1 peers are told nothing. A frame whose peer is told takes no slot from others.
WHIT_PUBLIC void whit_input_held(enum whit_held how);

// With WHIT_HOLDS_FRAMES, when whit_input_end() has said WHIT_WAITS and before anything else is called.
// whit_input_next() tells up to where octets of the frame's connection are acknowledged, in host order; false: it has
// no slot, or nothing is kept for it. whit_input_kept(): the driver keeps all octets from there up to this number, and
// they are acknowledged. It keeps them until they are taken; if it cannot, it offers one of the frames with
// WHIT_LET_GO, which resets their connection.
WHIT_PUBLIC bool whit_input_next(uint32_t *seq);
WHIT_PUBLIC void whit_input_kept(uint32_t seq);

// Slots that the host of this address (as a number) has.
WHIT_PUBLIC uint16_t whit_slots_of(uint32_t address);

// Runs the timers that are due. Call it at least when whit_next_ms() has passed; more often does no harm.
WHIT_PUBLIC void whit_tick(uint32_t now_ms);

// Passes one waiting segment to the driver. False: no segment waits, or the driver refused it.
WHIT_PUBLIC bool whit_output(uint32_t now_ms);

// Milliseconds until the next timer is due: 0 if one is due, at most 60 000.
WHIT_PUBLIC uint32_t whit_next_ms(uint32_t now_ms);

// Names of all drops and events that are counted. A counter stops at its largest number. counter_bits in app.toml is
// its width; with 0 nothing is counted, and the array is in the image only if something reads it.
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
    WHIT_DROP_TCP_UNKNOWN,            // segment of no connection: answered by RST where RFC 9293 wants it
    WHIT_DROP_TCP_SEQUENCE,           // out of window, ahead of a gap, old duplicate
    WHIT_DROP_TCP_ACK,                // acknowledges what was never sent
    WHIT_COUNT_CHALLENGE_ACK,         // RFC 5961
    WHIT_DROP_NO_SLOT,                // first segment of a request while every slot is busy
    WHIT_DROP_NO_BUFFER,              // octets for which the shared buffer had no room: they come again
    WHIT_COUNT_SLOT_EVICTED,          // stalled connection that made room for a newcomer
    WHIT_COUNT_TAG_EVICTED,           // idle connection that made room for a newer one
    WHIT_COUNT_RETRANSMIT_TIMEOUT,    // RFC 6298
    WHIT_COUNT_RETRANSMIT_FAST,       // RFC 5681, 6582
    WHIT_COUNT_TAIL_PROBE,            // RFC 8985, section 7
    WHIT_COUNT_GIVEN_UP,              // connection whose peer answered nothing for more than 100 s
    WHIT_COUNT_CHANGED,               // response cut off: its generator said something else when it ran again, or its
                                      // stored content was written anew
    // idempotent or volatile response that was kept: expensive to run again, or longer than a segment
    WHIT_COUNT_KEPT,
    WHIT_COUNT_REQUESTS,    // requests answered with a 2xx or 3xx status
    WHIT_COUNT_REFUSED,     // requests answered with a 4xx or 5xx status
    // UDP datagrams answered by ICMP "port unreachable"; there only with WHIT_HAS_UNREACHABLE
    WHIT_COUNT_UNREACHABLE,
    // hello of a host that has as many handshakes under way as it may: it comes again; there only with HTTPS
    WHIT_DROP_HANDSHAKE = WHIT_COUNT_UNREACHABLE + WHIT_HAS_UNREACHABLE,
    WHIT_COUNTER_CNT = WHIT_DROP_HANDSHAKE + WHIT_TLS
};
#if WHIT_COUNTER_BITS <= 8
typedef uint8_t whit_count;
#else
typedef uint16_t whit_count;
#endif
extern WHIT_PUBLIC whit_count whit_counters[WHIT_COUNTER_CNT];

// In an image with the request log: whether its lines are made. They are, until a port whose log nobody reads sets it
// to false.
extern WHIT_PUBLIC bool whit_log_lines;

// Builds with WHIT_METER count what is kept in the shared buffer for how long (the memory charge of EMSOFT 2009,
// section 4.2), so that a host can tell. A device's image has none of it.
#ifdef WHIT_METER
enum whit_meter_class {
    WHIT_METER_CONTENT,
    WHIT_METER_POINTS /* rerun points, continuations */,
    WHIT_METER_REQUEST /* arguments, input */,
    WHIT_METER_CLASSES
};
#define WHIT_METER_RESOURCES 64    // those after are not told
struct whit_meter_resource {
    uint32_t response_cnt;                  // that ended
    uint64_t charge[WHIT_METER_CLASSES];    // of them, in octet milliseconds
};
extern WHIT_PUBLIC struct whit_meter_resource whit_meter_resources[WHIT_METER_RESOURCES];
#endif

#ifdef __cplusplus
}
#endif

#endif
