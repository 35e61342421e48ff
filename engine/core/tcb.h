// SPDX-License-Identifier: MIT
// State of a connection: a slot while a request comes in or a response goes out, a tag while it is idle.
#ifndef WHIT_CORE_TCB_H
#define WHIT_CORE_TCB_H

#include <stdbool.h>
#include <stdint.h>

#include "grammar.h"
#include "limits.h"

// A slot: a connection with a request being received or a response in flight. A request comes in, then a response
// goes out, so the two share their octets.
enum tcb_state { TCB_FREE, TCB_REQUEST, TCB_WAIT /* complete request, no room for its answer yet */, TCB_RESPONSE };

// Meanings of `mark` of a response.
enum response_mode {
    MODE_PLAIN,      // nothing
    MODE_TIMING,     // its acknowledgment ends the round trip that began at `stamp`
    MODE_RESEND,     // after a timeout: next to send again; flight is SND.MAX then
    MODE_RECOVER,    // fast recovery: missing octets up to there were retransmitted (recovery_full.c)
};

enum response_kind {
    KIND_CONTENT,
    KIND_NOT_MODIFIED,
    KIND_ERROR,
    KIND_GONE /* its stored content is being overwritten */
};

// Flags of a request, as bits (grammar.h).
enum request_flag {
    FLAG_1_0 = 1 << BIT_1_0,
    FLAG_HOST = 1 << BIT_HOST,
    FLAG_CLOSE = 1 << BIT_CLOSE,
    FLAG_GZIP = 1 << BIT_GZIP,
    FLAG_BROTLI = 1 << BIT_BROTLI,
    FLAG_MATCH = 1 << BIT_MATCH,
    FLAG_MATCHED = 1 << BIT_MATCHED,
    FLAG_STRONG = 1 << BIT_STRONG,
    FLAG_LENGTH = 1 << BIT_LENGTH,
    FLAG_CODING = 1 << BIT_CODING,
    FLAG_BODY = 1 << BIT_BODY,
    FLAG_TYPE = 1 << BIT_TYPE,
    FLAG_EXPECT = 1 << BIT_EXPECT,
    FLAG_KNOWN = 1 << BIT_KNOWN,
};
#define FLAG_KNOWN_BITS 3

enum http_step {
    STEP_READ,    // by the grammar (grammar.h)
    STEP_PATH,
    STEP_QUERY_NAME,
    STEP_QUERY_VALUE,
    STEP_QUERY_SKIP,    // a form that the resource does not take
    STEP_TAIL,          // the rest of the path, which is an argument
    STEP_TYPE,          // Content-Type of a body that is taken
    STEP_DONE,          // from here on no octet is taken
    STEP_BODY,          // the body is read (body.c)
    STEP_STARVED,       // no room for arguments, or for a body's block
    STEP_REFUSED,       // by `status`
};

#define RESOURCE_NONE 0xfff

// Octets come first, then numbers of 16 bits: short instructions reach them.
struct whit_tcb {
    union {
        struct {
            uint8_t step;              // enum http_step
            union {                    // by the step
                uint8_t otherwise;     // STEP_READ: operand of OP_ELSE
                uint8_t escape;        // path, query, form: state of a percent-encoded octet (head.c)
                uint8_t json;          // body: state of the JSON reader
                uint8_t part_field;    // ... current field of a part: enum whit_media, or 0
                uint8_t turns;         // STEP_DONE: that it has waited for room
                uint8_t status;        // STEP_REFUSED: enum http_status
            };
            union {
                uint16_t node;        // state of the automaton
                uint16_t argument;    // while its value is read: which one it is (internal.h)
            };
            union {
                uint16_t left;     // octets that the request line, then the field lines may still have
                uint16_t range;    // JSON (json.c): the least and the largest next octet of a character
                uint16_t unit;     // ... the digits of an escape so far, a unit of UTF-16
                uint16_t word;     // ... the place in the letters of true, false, null
            };
            union {
                uint16_t flags;    // enum request_flag
                uint16_t seen;     // while arguments are read: one bit for each (internal.h)
            };
            uint16_t resource : 12;
            uint16_t method : 2;    // enum whit_method
        } request;
        struct {
            // time at which the timed octet was sent, in units of the timer's scale; MODE_RECOVER: see recovery_full.c
            uint8_t stamp;
            uint8_t ssthresh : 4;    // packed (recovery_full.c)
            uint8_t dupacks : 2;     // MODE_RECOVER: see recovery_full.c
            uint8_t mode : 2;        // enum response_mode
            uint16_t flight;         // octets sent and not acknowledged, a FIN counting as one
            union {
                uint16_t mark;     // offset from snd_una; see `mode`
                uint16_t polls;    // while a generator waits: number of retries
            };
            uint16_t wnd : 12;    // SND.WND, packed (limits.h)
            uint16_t retries : 4;
            // index of the representation; KIND_ERROR: of the status, or from JSON_STATUS on (response_head.c)
            uint16_t resource : 12;
            uint16_t kind : 2;
            uint16_t head_only : 1;    // the request was HEAD; KIND_GONE: the length is unknown
            uint16_t probed : 1;       // the tail-loss probe of this flight was sent
        } response;
    };
    uint16_t remote_port;
    uint16_t deadline;    // tick at which the timer of this state is due
#if WHIT_TLS
    uint8_t mss8 : 7;    // a sixteenth of the peer's MSS, see tcb_mss()
    uint8_t tls : 1;     // it is of the HTTPS port
#else
    uint8_t mss8;    // an eighth of the peer's MSS, see tcb_mss()
#endif
    uint8_t parity : 1;    // parity of the cookie that opened it (stateless.c)
    // this response is the last of its connection; of a request: the peer's window is below its MSS
    uint8_t close : 1;
    uint8_t peer_fin : 1;        // the peer's FIN was received
    uint8_t ready : 1;           // something waits to be sent
    uint8_t ack_now : 1;         // an acknowledgment is owed
    uint8_t probed_again : 1;    // this response was probed twice in recovery; the retransmission timer is next
    uint8_t state : 2;           // enum tcb_state
    uint32_t remote_addr;        // host order
    uint32_t rcv_nxt;
    // invariant, modulo 2^32: snd_una + flight is SND.MAX; while a request comes in nothing is in flight
    uint32_t snd_una;
    union {
        uint32_t value;    // request: number being read (argument, Content-Length, entity tag, quality)
        uint32_t media;    // ... media type: state of its reader (body_head.c)
        struct {
            whit_position position : WHIT_POSITION_BITS;    // response: where snd_una is in it
            uint8_t cwnd;                                   // response: congestion window in segments of mss, 1..255
        };
    };
};
_Static_assert(sizeof(struct whit_tcb) <= 32, "a slot is at most 32 octets");

// The life of a slot. A request is read, perhaps waits for room, and is answered; then the next one is read, or the
// slot is free.
static inline void tcb_reads(struct whit_tcb *t)
{
    HOLDS(!(WHIT_HAS_GENERATORS && t->state == TCB_WAIT));
    t->state = TCB_REQUEST;
}
static inline void tcb_awaits_room(struct whit_tcb *t)
{
    HOLDS(t->state == TCB_REQUEST || t->state == TCB_WAIT);
    t->state = TCB_WAIT;
}
static inline void tcb_answers(struct whit_tcb *t)
{
    HOLDS(t->state != TCB_FREE);
    t->state = TCB_RESPONSE;
}
static inline void tcb_ends(struct whit_tcb *t)
{
    HOLDS(t->state != TCB_FREE);
    t->state = TCB_FREE;
}

// The peer's MSS, which is kept in eighths, or sixteenths: MSS_MAX is exact, others are rounded down.
#define MSS8_UNIT (WHIT_TLS ? 16u : 8u)
#define MSS8_MAX ((MSS_MAX + MSS8_UNIT - 1) / MSS8_UNIT)
#define MSS8_MASK (WHIT_TLS ? 0x7fu : 0xffu)
#if WHIT_FAST
static inline
#else
static __attribute__((noinline, unused))
#endif
    uint16_t tcb_mss(const struct whit_tcb *t)
{
    return t->mss8 < MSS8_MAX ? (uint16_t)(t->mss8 * MSS8_UNIT) : MSS_MAX;
}
// by a tag, or a cookie
static inline void tcb_mss_remembered(struct whit_tcb *t, unsigned mss8)
{
    t->mss8 = (uint8_t)(mss8 & MSS8_MASK);
}
// a window
static inline void tcb_mss_halves(struct whit_tcb *t, uint16_t wnd)
{
    t->mss8 = (uint8_t)(wnd / (2 * MSS8_UNIT)) & MSS8_MASK;
}

#if WHIT_TLS
static inline bool is_tls(const struct whit_tcb *t)
{
    return t->tls;
}
static inline void set_tls(struct whit_tcb *t, bool tls)
{
    t->tls = tls;
}
#else
static inline bool is_tls(const struct whit_tcb *t)
{
    (void)t;
    return false;
}
static inline void set_tls(struct whit_tcb *t, bool tls)
{
    (void)t;
    (void)tls;
}
#endif

// The port at which we have it.
static inline uint16_t port_of(const struct whit_tcb *t)
{
    return is_tls(t) ? WHIT_HTTPS_PORT : WHIT_TCP_PORT;
}
// Not an inline function: that one has a result, which costs octets on AVR.
#define IS_PORT_OF_OURS(port) \
    (((port) == WHIT_TCP_PORT && WHIT_HTTPS_PLAIN != WHIT_HTTPS_PLAIN_OFF) || (WHIT_TLS && (port) == WHIT_HTTPS_PORT))

// True in TCB_WAIT. Files never wait for room.
static inline bool tcb_waits(const struct whit_tcb *t)
{
    return WHIT_HAS_GENERATORS && t->state == TCB_WAIT;
}

// True if the request in a slot, or in a copy of it, is complete.
static inline bool http_complete(const struct whit_tcb *t)
{
    return t->request.step == STEP_DONE;
}
static inline bool http_refused(const struct whit_tcb *t)
{
    return t->request.step == STEP_REFUSED;
}
// True if its arguments found no room: drop the segment, the peer retransmits it.
static inline bool http_starved(const struct whit_tcb *t)
{
    return (WHIT_HAS_ARGUMENTS || WHIT_HAS_BODY || WHIT_TLS) && t->request.step == STEP_STARVED;
}

// Ways in which the connection of a closing tag ended.
enum tag_end { TAG_CLOSED, TAG_PEER_FIRST /* the peer's FIN came first */, TAG_RESET, TAG_IDLE /* not at all */ };

// A tag: an idle kept-alive connection. The next segment brings the numbers along; the tag recognises them.
#define TAGS_ARE_FEW (WHIT_IDLE <= 64)
#if TAGS_ARE_FEW && !WHIT_FAST
// saves 4 octets a tag; of two peers, one pair in 65 536 has the same: the later tag takes the place
typedef uint16_t whit_tuple;
#else
typedef uint32_t whit_tuple;
#endif
struct whit_tag {
    uint32_t mac;    // keyed hash of address, port, RCV.NXT, SND.NXT
#if WHIT_KEEPS_FRAMES
    uint32_t snd_nxt;    // a frame that was kept acknowledges less, by any number of octets
#endif
    whit_tuple tuple;           // keyed hash of address, port
    uint8_t mss8;               // as in a slot; of a closing connection: enum tag_end
    uint8_t age : 5;            // age in units of AGE_MS, 1..31; 0: this tag is free
    uint8_t closing : 1;        // our FIN or RST was sent
    uint8_t parity : 1;         // parity of the cookie that opened it
    uint8_t turned_away : 1;    // its request found no slot, and is retransmitted
};
_Static_assert(sizeof(struct whit_tag) <= (sizeof(whit_tuple) == 2 ? 8 : 12) + (WHIT_KEEPS_FRAMES ? 4 : 0),
               "an idle connection is at most 8 octets, of many 12; 4 more where the driver keeps frames");

// ---------------------------------------------------------------------------------------------- finding slots and tags

// Slots and tags: found by address and port, due, ready (table_scan.c, or table_hash.c on large builds).

struct whit_tcb *table_find(const struct whit_tcb *peer);    // slot of the same address and port
struct whit_tcb *table_take(const struct whit_tcb *peer);    // free slot, its address not yet set; NULL: none
bool table_is_full(void);                                    // no slot is free
void table_release(struct whit_tcb *tcb);
void table_arm(struct whit_tcb *tcb, uint16_t ticks);    // due in `ticks`
struct whit_tcb *table_due(void);                        // one whose time has come, NULL: none
uint16_t table_next(void);                               // ticks until the next is due
void table_ready(struct whit_tcb *tcb);                  // it has something to send
struct whit_tcb *table_next_ready(void);                 // takes the next one off, NULL: none
// Returns the tag of a peer. Without one: if `wanted`, the place of the tag that would be dropped first; else any tag
// of another peer, or a free one.
struct whit_tag *table_tag(const struct whit_tcb *peer, whit_tuple tuple, bool wanted);
bool table_is_promised(const struct whit_tcb *but);    // others are to keep all places of tags but one
void table_init(void);

CALLED void owe_ack(struct whit_tcb *tcb)
{
    tcb->ack_now = 1;
    table_ready(tcb);
}

// Each of our segments carries the acknowledgment.
static inline void ack_goes_along(struct whit_tcb *tcb)
{
    tcb->ack_now = 0;
}

// ------------------------------------------------------------------------------------------------ hosts

// Facts about each peer's host, shared by its connections (RFC 9040): round-trip time, and permission for routers to
// fragment its segments. On Ethernet also its MAC address (ethernet.c). A host with a slot always has a place: there
// are as many places as slots. A new host takes the place of one without a slot (table_scan.c, or table_hash.c on large
// builds).

void peer_init(void);
#if WHIT_CONNECTIONS > 64 || WHIT_IDLE > 64    // table_hash.c
typedef uint16_t whit_peer;
#else
typedef uint8_t whit_peer;
#endif
#define SLOTS_KNOW_PEERS (WHIT_FAST || WHIT_CONNECTIONS > 64 || WHIT_IDLE > 64)    // elsewhere, a host is looked for
#if SLOTS_KNOW_PEERS
extern whit_peer slot_peers[WHIT_CONNECTIONS];    // place of each slot's host
#endif
uint16_t peer_slots(uint32_t addr);                      // number of slots of the host at this address
uint16_t peer_slot_cnt(uint16_t peer);                   // number of slots of the host in this place
extern uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];    // eighths and quarters of ticks; 0: not measured

// Lets routers fragment segments to the slot's host: full ones seem to be lost, and no credible ICMP message named a
// smaller MTU. A small build then lets them fragment segments to all hosts.
void peer_let_cut(const struct whit_tcb *slot);
bool peer_is_cut(const struct whit_tcb *slot);

// recovery_full.c stores here how many segments the host's connections had in flight together, and at which tick.
#define PEER_WINDOWS (WHIT_KEEPS_WINDOW ? PEERS : 1)
extern uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];

// ------------------------------------------------------------------------------------------------ the keyed hash

// Uses of the hash, which distinguish its results; of cookies, their period.
#define HASH_TAG 0x100
#define HASH_TABLE 0x101
#define HASH_XML 0x103    // names in a body (xml.h)
// port of a connection that we open (client.c); their first numbers use ports of 49152 and more
#define HASH_PORT 0x102

// Returns the use for a peer whose connection is under TLS: its other connections have the same address and perhaps the
// same port.
static inline uint16_t hash_use(const struct whit_tcb *peer, uint16_t use)
{
    return is_tls(peer) ? use | 0x800 : use;
}

// Keyed hash of a peer's address and port.
struct hash {
    uint32_t low, high;
} keyed_hash(const struct whit_tcb *peer, uint16_t use);

#endif
