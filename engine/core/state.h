// SPDX-License-Identifier: MIT
// The engine's state beside slots, tags and the shared buffer: one object, most of it the frame being received.
#ifndef WHIT_CORE_STATE_H
#define WHIT_CORE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "tcb.h"
#include "whit/engine.h"

// The frame being received. Header octets are collected and checked at once; they stay until the next header. Octets
// after a TCP header are parsed as they arrive, into `pending`, which takes effect when the checksum holds.
enum rx_stage {
    RX_LINK_HEAD,
    RX_ARP_HEAD,
    RX_ARP_BODY,
    RX_IP_HEAD,
    RX_TCP_HEAD,
    RX_ICMP_HEAD,
    RX_UDP_HEAD,
    RX_COLLECTED = RX_UDP_HEAD,    // up to here; the others go through
    RX_IP_OPTIONS,
    RX_TCP_OPTIONS,
    RX_TCP_DATA,
    RX_ICMP_DATA,
    RX_UDP_DATA,
    RX_IGNORE,    // nothing of the frame counts any more
};

// Apparent owner of a segment, before its checksum is known.
enum rx_origin {
    ORIGIN_SLOT,       // a connection with a slot
    ORIGIN_COOKIE,     // the first octet after our SYN-ACK
    ORIGIN_TAG,        // the next octet of an idle connection
    ORIGIN_CLOSING,    // a connection to which our FIN was sent
    // an idle connection, but octets before or after the one that it waits for, which is pending.rcv_nxt
    ORIGIN_OUT_OF_ORDER,
    ORIGIN_WRONG_SEQ,    // a known connection, and neither
    ORIGIN_UNKNOWN,      // no connection
    ORIGIN_NO_PORT,      // ... and no server listens there
    ORIGIN_CLIENT,       // a connection that we opened (engine/client)
};

// The fields that are read most come first: short instructions reach them.
struct whit_rx {
    uint8_t stage;     // enum rx_stage
    uint8_t origin;    // enum rx_origin
    union {
        struct {
            uint8_t option_kind, option_left;    // TCP option, until the data begin
        };
        uint8_t arp_operation;
        uint8_t protocol;         // protocol of an IP header, while its options are skipped
        uint16_t accepted_len;    // octets of TCP data that `pending` has taken
    };
    bool arguments_reserved : 1;    // the reservation begins with the arguments of the request
    uint8_t taken : 3;              // enum whit_taken
    bool brings_request : 1;        // it acknowledges all of a response, and its data are the next request
    bool repeated : 1;              // the frame was offered before
    bool was_ahead : 1;             // ... and was WHIT_AHEAD: its numbers prove less
    bool body_reserved : 1;         // the reservation begins with the body's block
    bool truncated;                 // octets were left out: no later ones are taken
    uint16_t have, need;            // octets of the stage
    uint16_t payload_len;           // payload of IP, then of TCP or ICMP
    uint16_t sum;                   // sum of the pseudo header and the segment so far
    union {
        uint16_t mss;     // MSS of a SYN's option
        uint16_t skip;    // octets of data before rcv_nxt, to pass over; no SYN's are read
    };
    uint16_t reserved_len;                  // octets at the end of the shared buffer that this frame reserves
    uint16_t queued_len;                    // octets of input kept for later: the last ones of those
    struct whit_tcb pending;                // the connection as it will be
    _Alignas(uint32_t) uint8_t head[20];    // the current header; a TCP header stays here until its segment ends
    struct whit_tcb *slot;                  // ORIGIN_SLOT
    struct whit_tag *tag;                   // without a slot: the tag of its address and port
};

struct whit_engine {
    struct whit_rx rx;
    const struct whit_network *network;
    uint32_t now_ms;
    uint32_t key[4];
    uint8_t challenged;    // time of the last challenge ACK (tcp_in.c)
    uint8_t swept;         // unit in which tags were swept last (idle.c)
    bool waiting;          // a slot may be in TCB_WAIT; during retries: one of the slots that have retried
    uint8_t turn;          // slot that was served last (table_scan.c)
    // tick at which a newcomer found no slot, and none has since then; 0: the last one did
    uint16_t crowded_since;
    uint8_t left_to_do;      // work after the current frame: flags of an answer, or LEFT_ (internal.h)
    bool escaped : 1;        // serial line: ESC was read (engine_slip.c)
    bool cuts : 1;           // small build, or serial line: routers may fragment what is sent (tcb.h)
    uint16_t buffer_used;    // octets of the shared buffer that blocks have (buffer.c)
    uint16_t moved;          // tick at which something generated was acknowledged last (response.c)
    // the segment ahead of a gap that was answered last, and when it arrived first (stateless.c)
    uint16_t told;
};
extern struct whit_engine whit;
extern bool waiters_try;    // WHIT_FAST: slots in TCB_WAIT try again
extern struct whit_tcb whit_slots[WHIT_CONNECTIONS];
#define TAG_CNT (HAS_TAGS ? WHIT_IDLE : 1)    // an image without tags does not refer to it
extern struct whit_tag whit_tags[TAG_CNT];

#if SLOTS_KNOW_PEERS
static inline uint16_t peer_of(const struct whit_tcb *slot)
{
    return slot_peers[slot - whit_slots];
}
#else
uint16_t peer_of(const struct whit_tcb *slot);
#endif

// True if the frame was refused before: its acknowledgment and its answer were handled then.
static inline bool frame_repeated(void)
{
    return WHIT_KEEPS_FRAMES && whit.rx.repeated;
}

// True if the frame was refused before, and its numbers were a slot's or exact then. Its acknowledgment number is
// meaningless now: the responses acknowledged since may be longer than its 32 bits can express.
static inline bool frame_judged(void)
{
    return frame_repeated() && !whit.rx.was_ahead;
}

CALLED uint16_t now_ticks(void)
{
    return (uint16_t)(whit.now_ms / TICK_MS);
}

// Tick a is before b; they are less than 131 s apart.
static inline bool tick_lt(uint16_t a, uint16_t b)
{
    return (int16_t)(uint16_t)(a - b) < 0;
}

// Returns the ticks until the slot's deadline; 0: it has passed.
static inline uint16_t ticks_left(const struct whit_tcb *tcb)
{
    uint16_t now = now_ticks();
    return tick_lt(now, tcb->deadline) ? (uint16_t)(tcb->deadline - now) : 0;
}

// The current frame may be offered again.
static inline void frame_waits(enum whit_taken why)
{
    if (WHIT_KEEPS_FRAMES)
        whit.rx.taken = why;
}

void count_one(enum whit_counter counter);
static inline void count(enum whit_counter counter)
{
    if (WHIT_COUNTER_BITS != 0)
        count_one(counter);
}

// Test builds count errors, and events for a lab; a device's image does not.
#ifdef WHIT_METER
struct whit_meter {
    uint32_t static_checksum_octets;
    uint32_t held[WHIT_METER_CLASSES];    // octets of the shared buffer, heads of blocks included
    uint32_t held_max[WHIT_METER_CLASSES];
    uint64_t charge[WHIT_METER_CLASSES];    // memory charge: held over time, in octet milliseconds
    uint32_t charged_ms;                    // up to when
};
extern struct whit_meter whit_meter;
void meter_charge(void);                            // time has passed
void meter_response(const struct whit_tcb *tcb);    // its response ended
#define METER(what, n) (whit_meter.what += (n))
#define METER_CHARGE() meter_charge()
#define METER_RESPONSE(tcb) meter_response(tcb)
#else
#define METER(what, n) ((void)0)
#define METER_CHARGE() ((void)0)
#define METER_RESPONSE(tcb) ((void)0)
#endif

// -------------------------------------------------------------------------------------------- the application's timers

// Timers of the application (state.c).

void timer_init(void);
void timer_due(void);         // calls those whose time has come
uint16_t timer_next(void);    // ticks until the next is due

#endif
