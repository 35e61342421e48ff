// SPDX-License-Identifier: MIT
// What the engine's files know of each other, in the order of the way of the data. Nothing here is public.
#ifndef WHIT_INNER_H
#define WHIT_INNER_H

#include <stdbool.h>
#include <stdint.h>

#include "checksum.h"
#include "limits.h"
#include "octets.h"
#include "tables.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

// ------------------------------------------------------------------------------------------------ connections

// A slot: a connection with a request being received or a response in flight. A request comes in, then a response
// goes out, so the two share their octets.
enum tcb_state { TCB_FREE, TCB_REQUEST, TCB_WAIT /* complete request, no room for its answer yet */, TCB_RESPONSE };

// What `mark` of a response is.
enum response_mode {
    MODE_PLAIN,      // nothing
    MODE_TIMING,     // its acknowledgment ends the round trip that began at `stamp`
    MODE_RESEND,     // after a timeout: next to send again; flight is SND.MAX then
    MODE_RECOVER,    // fast recovery goes on until it is acknowledged (`recover` of RFC 6582)
};

enum response_kind { KIND_CONTENT, KIND_NOT_MODIFIED, KIND_ERROR };

// Marks of a request: while its query is parsed, one bit for each argument seen; in its field lines, these.
enum request_mark {
    MARK_HOST = 1 << 0,
    MARK_CLOSE = 1 << 1,
    MARK_GZIP = 1 << 2,
    MARK_BROTLI = 1 << 3,
    MARK_NONE_MATCH = 1 << 4,       // If-None-Match is there
    MARK_MATCH = 1 << 5,            // If-Match is there
    MARK_MATCHED = 1 << 6,          // ... and names the resource
    MARK_LENGTH = 1 << 7,
    MARK_CODING = 1 << 8,           // Transfer-Encoding
    MARK_BODY = 1 << 9,             // a body follows that nobody asked for
    MARK_KNOWN = 1 << 10,           // If-None-Match names the identity representation; the bits above it: its variants
};
#define MARK_KNOWN_BITS 3

#define RESOURCE_NONE 0xfff
#define RESOURCE_SERVER 0xffe    // asterisk-form: the server itself

struct whit_tcb {
    uint32_t remote_addr;        // host order
    uint32_t rcv_nxt;
    uint32_t snd_una;            // invariant, modulo 2^32: snd_una + flight is what was sent at most; while a request
                                 // comes in nothing is in flight
    union {
        uint32_t value;          // request: number being read (argument, Content-Length, entity tag, quality)
        struct {
            uint32_t position : 24;    // response: where snd_una is in it, modulo 2^24
            uint32_t cwnd : 8;         // response: congestion window in segments of mss, 1..255
        };
    };
    uint16_t remote_port;
    uint16_t deadline;           // tick at which the timer of this state is due
    union {
        struct {
            uint16_t node;       // where the automaton stands, or a small count of the step
            uint16_t left;       // octets that the request line, then the field lines may still have
            uint16_t marks;      // enum request_mark
            uint16_t resource : 12;
            uint16_t method : 3; // enum whit_method
            uint16_t version_1_0 : 1;
            uint8_t step;        // enum http_step
            uint8_t aux;         // of the step: field, token, percent-encoding
        } request;
        struct {
            uint16_t flight;     // octets sent and not acknowledged, a FIN counting as one
            uint16_t mark;       // offset from snd_una; see `mode`
            uint16_t wnd : 12;   // SND.WND, packed (packed.h)
            uint16_t retries : 4;
            uint16_t resource : 12;    // index of the representation; KIND_ERROR: of the status
            uint16_t kind : 2;
            uint16_t head_only : 1;    // the request was HEAD
            uint16_t probed : 1;       // the tail-loss probe of this flight was sent
            uint8_t stamp;       // when the timed octet left, in units of the timer's scale
            uint8_t ssthresh : 4;      // packed (congestion.c)
            uint8_t dupacks : 2;
            uint8_t mode : 2;    // enum response_mode
        } response;
    };
    uint16_t mss4 : 9;           // a quarter of the peer's MSS
    uint16_t state : 3;          // enum tcb_state
    uint16_t close : 1;          // this response is the last of its connection
    uint16_t peer_fin : 1;       // the peer's FIN was received
    uint16_t ready : 1;          // something waits to be sent
    uint16_t ack_now : 1;        // an acknowledgment is owed
};
_Static_assert(sizeof(struct whit_tcb) <= 32, "a slot is at most 32 octets");

// A tag: an idle kept-alive connection. The next segment brings the numbers along; the tag recognises them.
struct whit_tag {
    uint32_t mac;           // keyed hash of address, port, RCV.NXT, SND.NXT
    uint16_t tuple;         // keyed hash of address, port
    uint16_t mss4 : 9;      // a quarter of the MSS; of a closing connection: 1 when the peer's FIN came first
    uint16_t closing : 1;   // our FIN or RST was sent
    uint16_t reopened : 1;  // a SYN came since: its cookie may take the tag's place
    uint16_t age : 5;       // when it was put down, in units of AGE_MS, 1..31; 0: this tag is free
};
_Static_assert(sizeof(struct whit_tag) <= 8, "an idle connection is at most 8 octets");

// ------------------------------------------------------------------------------------------------ the engine's state

// The frame being received. Header octets are collected, looked at once, and stay until the next header; what
// follows a TCP header is parsed as it comes, into `work`, which takes effect when the checksum holds.
enum rx_stage {
    RX_LINK_HEAD,
    RX_ARP_HEAD,
    RX_ARP_BODY,
    RX_IP_HEAD,
    RX_IP_OPTIONS,
    RX_TCP_HEAD,
    RX_TCP_OPTIONS,
    RX_TCP_DATA,
    RX_ICMP_HEAD,
    RX_ICMP_DATA,
    RX_IGNORE,       // nothing of the frame counts any more
};

// Whose segment it seems to be, before its checksum is known.
enum rx_origin {
    ORIGIN_UNKNOWN,
    ORIGIN_SLOT,     // a connection with a slot
    ORIGIN_TAG,      // the next octet of an idle connection
    ORIGIN_COOKIE,   // the first octet after our SYN-ACK
    ORIGIN_CLOSING,  // a connection to which our FIN was sent
    ORIGIN_PROBE,    // keep-alive probe of an idle connection: one octet before
    ORIGIN_NEAR,     // a known connection, but not the octet that it waits for
};

struct whit_rx {
    struct whit_tcb work;     // the connection as it will be
    struct whit_tcb *slot;    // ORIGIN_SLOT
    uint8_t head[20];         // the header at hand; a TCP header stays here until its segment ends
    uint8_t source_mac[6];
    uint16_t left;            // octets of the datagram that are still to come
    uint16_t payload_len;     // octets of TCP data
    uint16_t taken;           // of them, those that `work` has taken
    uint16_t skip;            // octets of data before rcv_nxt, to pass over
    uint16_t sum;             // of the pseudo header and all of the segment so far
    uint16_t mss;             // of the option; 0: none
    uint16_t claim;           // octets at the end of the shared buffer that this frame writes to
    uint8_t have, need;       // octets of the header at hand
    uint8_t stage;            // enum rx_stage
    uint8_t origin;           // enum rx_origin
    uint8_t option_kind, option_left;
    uint16_t stored;          // octets of input kept for later, at the end of the claim
    uint16_t stored_at;       // where in the claim they begin
    uint16_t tag;             // ORIGIN_TAG: its index
    bool arguments_claimed : 1;   // the claim begins with the arguments of the request
    bool refused_rest : 1;    // data were left out: what follows them is not taken either
    bool reopened : 1;        // ORIGIN_COOKIE: tags of an earlier connection end with it
    bool again : 1;           // the frame may be offered again
    bool follows : 1;         // it acknowledges all of a response, and its data are the next request
};

struct whit_engine {
    const struct whit_network *network;
    uint32_t now_ms;
    uint64_t key[2];
    struct whit_rx rx;
    uint8_t challenge_left;       // challenge ACKs that this second still allows
    uint8_t challenge_second;
    bool waiting;                 // a slot may be in TCB_WAIT
};
extern struct whit_engine whit;
extern struct whit_tcb whit_slots[WHIT_CONNECTIONS];
extern struct whit_tag whit_tags[WHIT_IDLE];

static inline uint16_t now_ticks(void)
{
    return (uint16_t)(whit.now_ms / TICK_MS);
}

// Tick a is before b; they are less than 131 s apart.
static inline bool tick_lt(uint16_t a, uint16_t b)
{
    return (int16_t)(uint16_t)(a - b) < 0;
}

void count(enum whit_counter counter);

// Test builds count what must not happen and what a lab wants to know; a device's image has none of it.
#ifdef WHIT_METER
struct whit_meter {
    uint32_t static_checksum_octets;
};
extern struct whit_meter whit_meter;
#define METER(what, n) (whit_meter.what += (n))
#else
#define METER(what, n) ((void)0)
#endif

// ------------------------------------------------------------------------------------------------ in: rx.c, link_*.c, arp.c, ipv4.c, icmp.c

void rx_begin(uint8_t stage, uint8_t need);    // the next `need` octets are a header, for `stage`
void rx_octets(const uint8_t *octets, uint16_t len);
void rx_end(void);                             // the frame ended
void rx_ignore(enum whit_counter why);         // drop: count, and pass over the rest of the frame
void rx_forget(const struct whit_tcb *slot);   // the slot changed under a frame that is half in: drop that frame

void link_begin(void);                         // a new frame begins
void link_head(void);                          // RX_LINK_HEAD is complete
void link_input(const uint8_t *octets, uint16_t len);
void arp_head(void);
void arp_body(void);
void arp_commit(void);
void ipv4_head(void);
void ipv4_options(void);
void icmp_head(void);
void icmp_data(const uint8_t *octets, uint16_t len);
void icmp_commit(void);

// ------------------------------------------------------------------------------------------------ tcp_in.c, tcp_option.c, tcp_stateless.c, tcp_slot.c, tcp_ack.c

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_PSH 0x08
#define TCP_ACK 0x10

// The segment at hand: its header stays in whit.rx.head.
static inline uint32_t seg_seq(void) { return load32_be(whit.rx.head + 4); }
static inline uint32_t seg_ack(void) { return load32_be(whit.rx.head + 8); }
static inline uint16_t seg_wnd(void) { return load16_be(whit.rx.head + 14); }
static inline uint8_t seg_flags(void) { return whit.rx.head[13]; }

void tcp_head(void);
void tcp_options(const uint8_t *octets, uint16_t len);    // finds the MSS
void tcp_begin(void);                          // headers complete: find the connection
void tcp_data(const uint8_t *octets, uint16_t len);
void tcp_commit(void);                         // the segment ended and its checksum holds

void stateless_commit(void);                   // a segment without a slot: SYN, RST, idle and closing connections
void slot_commit(void);                        // a segment of rx.slot
bool challenge_allowed(void);                  // RFC 5961 section 10

// What rx.work read of a request takes effect in its slot.
void request_commit(struct whit_tcb *tcb);
void request_pipelined(struct whit_tcb *tcb);  // reads the next request from what is kept of the input

// SEG.ACK acknowledges nothing that was not sent, and is not ages old (RFC 9293 section 3.10.7.4, RFC 5961 section 5.2).
bool response_ack_acceptable(const struct whit_tcb *tcb, uint32_t ack);
// Takes such an acknowledgment, and SEG.WND. True: the response is acknowledged to its end.
// pure: the segment has neither data nor FIN, so that it may be a duplicate acknowledgment.
bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure);
bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack);    // ack would be the last

// ------------------------------------------------------------------------------------------------ out: frame.c, tcp_out.c

// A frame on its way to the driver: its headers and the spans behind them.
#define FRAME_LINK_HEAD 14    // room for the link's header
#define LENGTH_MAX 14         // of a number, CR LF CR LF
struct frame {
    struct whit_span spans[WHIT_SPANS_MAX];
    uint16_t payload_len;        // octets in the spans
    uint16_t room;               // octets that they may become
    uint16_t mss;                // of the peer: room may grow to it by octets that the peer has already
    uint16_t back;               // those octets
    uint16_t sum;                // of the payload
    uint8_t span_cnt;            // spans[0] is the headers
    uint8_t link_offset;         // where in `head` the frame begins
    uint8_t head[FRAME_LINK_HEAD + 20 + 24];
    uint8_t digits[LENGTH_MAX];  // Content-Length and empty line of a generated response
};
void frame_init(struct frame *f);
void frame_add(struct frame *f, const uint8_t *octets, uint16_t len, uint16_t sum, bool in_flash);
// Fills in the link's header and hands the frame over. answer: it goes where the frame being received came from.
bool frame_send(struct frame *f, uint32_t remote_addr, uint16_t l3_len, bool answer);
bool link_address(struct frame *f, uint32_t remote_addr, bool answer);    // link_*.c; false: not known yet

// Writes a header of 20 octets. Returns the sum of its addresses, for a pseudo header.
uint32_t ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len);
bool tcp_send(struct frame *f, const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, bool answer);
void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags, uint16_t mss);    // to the segment being received
bool tcp_output(struct whit_tcb *tcb);         // sends one segment of what waits; false: none
// One segment from snd_una + offset on, again, of `limit` octets at most. The slot may be gone behind it: see content_generated().
void tcp_resend(struct whit_tcb *tcb, uint16_t offset, uint16_t limit);
void tcp_reset(const struct whit_tcb *tcb);

// ------------------------------------------------------------------------------------------------ retransmit.c, rtt.c, congestion.c

void retransmit_arm(struct whit_tcb *tcb);     // sets the timer that the response needs now
void retransmit_due(struct whit_tcb *tcb);     // ... and what it does
void rtt_start(struct whit_tcb *tcb, uint16_t mark);
void rtt_sample(struct whit_tcb *tcb);
void rtt_backed_off(const struct whit_tcb *tcb);     // it was acknowledged after timeouts: no sample, but a lesson
struct rtt {
    uint16_t srtt;    // ticks; 0: unknown
    uint16_t rto;     // ticks, backed off
};
struct rtt rtt_times(const struct whit_tcb *tcb);
void congestion_init(struct whit_tcb *tcb);
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip);
void congestion_lost(struct whit_tcb *tcb, bool timeout);
void congestion_recovered(struct whit_tcb *tcb);

// ------------------------------------------------------------------------------------------------ connection.c, cookie.c, table_*.c, tag.c, peer.c

void connection_open(struct whit_tcb *work, uint32_t addr, uint16_t port, uint32_t rcv_nxt, uint32_t snd_nxt, uint16_t mss);
void connection_request(struct whit_tcb *tcb);        // it waits for a request's first octet
struct whit_tcb *connection_take(const struct whit_tcb *work);    // a slot for it, or NULL
void connection_release(struct whit_tcb *tcb);        // gives slot and buffer back
void connection_dead(struct whit_tcb *tcb);           // ... of a reset one; a tag remembers it for a while
void connection_due(struct whit_tcb *tcb);
void connection_finished(struct whit_tcb *tcb);       // the response is acknowledged
void connection_wake(void);                           // what waits for room tries again
bool connection_ends(const struct whit_tcb *tcb);     // a FIN follows this response

uint32_t cookie_make(uint32_t addr, uint16_t port, uint32_t irs, uint16_t mss);
uint16_t cookie_mss(uint16_t mss);                    // the largest MSS that a cookie can carry and that is not above mss
uint16_t cookie_check(uint32_t addr, uint16_t port, uint32_t irs, uint32_t cookie);    // the MSS; 0: not our cookie
bool cookie_near(uint32_t addr, uint16_t port, uint32_t cookie);    // ours, whatever the IRS

struct whit_tcb *table_find(uint32_t addr, uint16_t port);
struct whit_tcb *table_take(uint32_t addr, uint16_t port);    // free slot, its address not yet set; NULL: none
void table_release(struct whit_tcb *tcb);
void table_arm(struct whit_tcb *tcb, uint16_t ticks);         // due in `ticks`
struct whit_tcb *table_due(void);                             // one whose time has come, NULL: none
uint16_t table_next(void);                                    // ticks until the next is due
void table_ready(struct whit_tcb *tcb);                       // it has something to send
struct whit_tcb *table_next_ready(void);                      // takes the next one off, NULL: none
struct whit_tag *table_tags(uint32_t addr, uint16_t port, uint16_t *cnt);    // where its tag may stand
void table_init(void);

void tag_put(uint32_t addr, uint16_t port, uint32_t rcv_nxt, uint32_t snd_nxt, uint16_t mss4, bool closing);
struct whit_tag *tag_find(uint32_t addr, uint16_t port, uint32_t rcv_nxt, uint32_t snd_nxt);
enum tag_near { TAG_NONE, TAG_NEAR, TAG_REOPENED };
enum tag_near tag_near(uint32_t addr, uint16_t port);    // is there one of these, whatever the numbers?
void tag_reopen(uint32_t addr, uint16_t port);
void tag_forget(uint32_t addr, uint16_t port);
void tag_sweep(void);

uint16_t peer_find(uint32_t addr);      // WHIT_PEERS: none
uint16_t peer_learn(uint32_t addr);     // finds or makes a place; WHIT_PEERS: all are in use
extern uint8_t peer_srtt[WHIT_PEERS], peer_rttvar[WHIT_PEERS];    // packed ticks; 0: not measured
void arp_learn(uint32_t addr);          // the frame being received came from there

// ------------------------------------------------------------------------------------------------ buffer.c

enum block_kind { BLOCK_ARGUMENTS, BLOCK_OUTPUT /* or, of an idempotent response, struct whit_digest */, BLOCK_INPUT };
uint8_t *buffer_find(const struct whit_tcb *tcb, enum block_kind kind, uint16_t *len);
uint8_t *buffer_tail(uint16_t *room);                  // free octets behind everything, until the next call into buffer.c
uint8_t *buffer_claimed(void);                         // start of the octets that the frame being received has claimed
bool buffer_claim(uint16_t more);                      // takes `more` octets at the end for the frame; false: no room
uint16_t buffer_claim_room(void);                        // octets that a claim can still take
bool buffer_claim_block(uint16_t len);                 // the same, such that a second block may follow it
bool buffer_keep(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // makes a block of the claim's octets
void buffer_trim(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // drops its first `len` octets
void buffer_free(const struct whit_tcb *tcb, enum block_kind kind);
bool buffer_others(const struct whit_tcb *tcb);        // something of another connection is kept
void buffer_init(void);

// ------------------------------------------------------------------------------------------------ http_*.c, automaton.c, argument.c

#define NODE_NONE 0xffff
uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c);    // NODE_NONE: no way on
// Takes letters and hyphens, with the bits of `lower` set, as long as there are any; *node moves by them.
const uint8_t *automaton_run(const uint8_t *automaton, uint16_t *node, const uint8_t *at, const uint8_t *end, uint8_t lower);
uint16_t automaton_value(const uint8_t *automaton, uint16_t node);              // NODE_NONE: it does not end here

// Takes octets of a request. Returns how many, which is less than len when the request ended or was refused.
uint16_t http_parse(struct whit_tcb *work, const uint8_t *octets, uint16_t len);
bool http_complete(const struct whit_tcb *work);
bool http_refused(const struct whit_tcb *work);
bool http_starved(const struct whit_tcb *work);    // no room for its arguments: forget the segment, it comes again
void http_answer(struct whit_tcb *tcb);            // the request in tcb is complete: decide, and begin the response
void http_refuse(struct whit_tcb *tcb, uint8_t status);    // begins an error response that ends the connection

// Index of a status in http_status.c.
enum http_status {
    HTTP_200, HTTP_304, HTTP_400, HTTP_404, HTTP_405, HTTP_408, HTTP_412, HTTP_413, HTTP_414, HTTP_417, HTTP_431,
    HTTP_500, HTTP_501, HTTP_503, HTTP_505, HTTP_STATUS_CNT
};

// ------------------------------------------------------------------------------------------------ response.c, content_*.c, out.c

// One piece of a response in flash: a head's piece, which is sent whole, or static content.
struct piece {
    const uint8_t *octets;
    const uint16_t *sums;     // of content: its chunks (tables.h); NULL: `sum` is that of all of it
    uint32_t len;
    uint16_t sum;
};
// Positions in a response: its end, without FIN, and where its content begins, the digits of a length included.
struct extent {
    uint32_t len, content;
};
struct extent response_extent(const struct whit_tcb *tcb);
// Adds the octets from `position` on, as many as the frame has room for. False: the generator says something else now.
bool response_gather(struct frame *f, const struct whit_tcb *tcb, uint32_t position, const struct extent *extent);
void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only);

// Adds octets of the piece from `from` on. True: to its end.
bool content_static(struct frame *f, const struct piece *p, uint32_t from);
// The same for what the response's generator writes. False: it wrote something else than before.
bool content_generated(struct frame *f, const struct whit_tcb *tcb, uint32_t from);
uint16_t content_generated_len(const struct whit_tcb *tcb);
// Runs the request's generator. enum http_status, or HTTP_STATUS_CNT: no room now.
uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator);

// Where out_*() write: octets [from, from + room) of what the generator says go to `to`, the others are counted.
struct whit_out {
    uint8_t *to;
    uint16_t from, room;
    uint16_t len;      // octets written so far in all
    uint16_t hash;     // of all of them: tells whether a generator says the same again
};
extern struct whit_out *whit_out;    // of the generator that runs

#endif
