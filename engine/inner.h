// SPDX-License-Identifier: MIT
// What the engine's files know of each other, in the order of the way of the data. Nothing here is public.
#ifndef WHIT_INNER_H
#define WHIT_INNER_H

#include <stdbool.h>
#include <stdint.h>

#include "checksum.h"
#include "limits.h"
#include "octets.h"
#include "state.h"
#include "tables.h"
#include "tcb.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

// ------------------------------------------------------------------------------------------------ in: rx.c, link_*.c, arp.c, ipv4.c, icmp.c

void rx_begin(uint8_t stage, uint16_t need);   // the next `need` octets are for `stage`
void rx_octets(const uint8_t *octets, uint16_t len);
void rx_end(void);                             // the frame ended
void rx_ignore(enum whit_counter why);         // drop: count, and pass over the rest of the frame
void rx_forget(const struct whit_tcb *slot);   // the slot changed under a frame that is half in: drop that frame

void link_init(void);
void link_begin(void);                         // a new frame begins
void link_head(void);                          // RX_LINK_HEAD is complete
void link_input(const uint8_t *octets, uint16_t len);
void arp_head(void);
void arp_commit(void);
void ipv4_head(void);
void ipv4_options(void);
void icmp_head(void);
void icmp_data(const uint8_t *octets, uint16_t len);
void icmp_commit(void);
void udp_begin(void);                          // the IP header is complete
void udp_head(void);
void udp_commit(void);

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
void request_again(struct whit_tcb *tcb, bool between_frames);    // the same for one that found no room before
void request_body(struct whit_tcb *tcb);       // reads the body that "100 Continue" asked for

// SEG.ACK acknowledges nothing that was not sent, and is not ages old (RFC 9293 section 3.10.7.4, RFC 5961 section 5.2).
bool response_ack_acceptable(const struct whit_tcb *tcb, uint32_t ack);
// Takes such an acknowledgment, and SEG.WND. True: the response is acknowledged to its end.
// pure: the segment has neither data nor FIN, so that it may be a duplicate acknowledgment.
bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure);
bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack);    // ack would be the last

// ------------------------------------------------------------------------------------------------ out: frame.c, tcp_out.c

// A segment's payload is found twice by the same walk over the response: the first time its octets are counted and summed,
// the second time, behind the headers that tell both, they are put to the driver. Generated octets stay at the free end
// of the shared buffer in between.
struct walk {
    uint32_t skip;           // octets still to be passed over
    const uint8_t *made;     // octets that were generated in the first pass
    uint16_t made_len;
    uint16_t room;           // octets that may still be taken
    uint16_t len;            // octets that were counted
    uint16_t sum;
    uint16_t mss;            // of the peer: room may grow to it by octets that the peer has already
    uint16_t back;           // those octets
    bool puts : 1;           // the second pass
    bool new_chunk : 1;      // content_rerun.c made a further chunk
};
#define FRAMING_MAX (WHIT_HAS_STORED ? 48 : WHIT_HAS_GENERATORS ? 30 : 1)    // "Content-Length: ", a number, CR LF CR LF; an entity tag's line before it
_Static_assert(14 + 40 + FRAMING_MAX <= WHIT_PUTS_RAM, "driver.h");
// Of link, of IP and TCP; version, code, a field line; what a handler chose; what the compiler made; what frames generated octets, and they.
_Static_assert(2 + 3 + WHIT_HAS_ANSWER * WHIT_ANSWER_FIELDS + 2 + 3 <= WHIT_PUTS_MAX, "driver.h");
// Takes octets of RAM, as many as there is room for. place: as in driver.h.
void walk_ram(struct walk *w, const uint8_t *octets, uint16_t len, uint8_t place);
void walk_count(struct walk *w, uint16_t len, uint16_t sum);    // what the first pass does with octets

// Begins a frame: headers from IP's on, `carried` octets are to follow. answer: it goes where the frame being received came from.
// False: it cannot be sent, and nothing has left.
bool frame_begin(const uint8_t *head, uint8_t head_len, uint16_t carried, uint32_t remote_addr, bool answer);
bool link_out(uint32_t remote_addr, bool answer, uint16_t len);    // link_*.c; false: its address is not known yet, or the driver is busy
void link_out_end(void);

void ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len);    // a header of 20 octets
void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags);    // to the segment being received
bool tcp_output(struct whit_tcb *tcb);         // sends one segment of what waits; false: none
// One segment from snd_una + offset on, again, of `limit` octets at most. The slot may be gone behind it: see output_response().
void tcp_resend(struct whit_tcb *tcb, uint16_t offset, uint16_t limit);
void tcp_reset(const struct whit_tcb *tcb);

// ------------------------------------------------------------------------------------------------ recovery_small.c, or recovery_full.c and its own

void recovery_init(void);
void recovery_begin(struct whit_tcb *tcb);                   // of a response
uint16_t window_code(uint16_t wnd);                          // of SND.WND in 12 bits
uint16_t window_of(const struct whit_tcb *tcb);
uint32_t recovery_segments(const struct whit_tcb *tcb);      // that may be in flight
void recovery_sent(struct whit_tcb *tcb, bool first, bool last);    // flight has grown: from nothing, to all that there is
void recovery_acked(struct whit_tcb *tcb, uint16_t acked, bool reached);    // so many octets more; reached: `mark` with them
void recovery_duplicate(struct whit_tcb *tcb);               // acknowledgment
bool recovery_resends(struct whit_tcb *tcb);                 // the first segment is due again; it is told once
void retransmit_arm(struct whit_tcb *tcb);     // sets the timer that the response needs now
void retransmit_due(struct whit_tcb *tcb);     // ... and what it does
uint16_t rtt_rto(const struct whit_tcb *tcb);  // ticks, backed off

// ------------------------------------------------------------------------------------------------ connection.c, cookie.c, table_*.c, tag.c, peer.c

void connection_open(struct whit_tcb *work, uint32_t rcv_nxt, uint32_t snd_nxt);    // keeps its address and port only
uint16_t ticks_left(const struct whit_tcb *tcb);      // until it is due
void connection_request(struct whit_tcb *tcb);        // it waits for a request's first octet
struct whit_tcb *connection_take(const struct whit_tcb *work);    // a slot for it, or NULL
void connection_starved(void);                        // the frame's request finds no room: it comes again, when a stalled one gave way
void connection_dead(struct whit_tcb *tcb);           // it was reset: gives slot and buffer back, a tag remembers it for a while
void connection_kill(struct whit_tcb *tcb, enum whit_counter why);    // resets it
void connection_due(struct whit_tcb *tcb);
void connection_changed(struct whit_tcb *tcb);        // what it answers with is not there any more: resets it
void connection_finished(struct whit_tcb *tcb);       // the response is acknowledged
void connection_wake(bool between_frames);            // who waits for room tries again: something may have been given back
bool connection_ends(const struct whit_tcb *tcb);     // a FIN follows this response

uint32_t cookie_make(uint8_t flavour);      // an ISS for the SYN at hand
void cookie_look(void);                     // may be the segment's connection is known by it: rx.origin and rx.work say so

struct whit_tcb *table_find(const struct whit_tcb *peer);    // of the same address and port
struct whit_tcb *table_take(const struct whit_tcb *peer);    // free slot, its address not yet set; NULL: none
void table_release(struct whit_tcb *tcb);
void table_arm(struct whit_tcb *tcb, uint16_t ticks);         // due in `ticks`
struct whit_tcb *table_due(void);                             // one whose time has come, NULL: none
uint16_t table_next(void);                                    // ticks until the next is due
void table_ready(struct whit_tcb *tcb);                       // it has something to send
struct whit_tcb *table_next_ready(void);                      // takes the next one off, NULL: none
struct whit_tag *table_tags(const struct whit_tcb *peer, uint16_t *cnt);    // where its tag may stand
void table_init(void);

void handshake_init(void);                  // handshake.c; of large builds only
void handshake_begun(uint32_t iss);         // the SYN at hand was answered
void handshake_over(void);                  // the segment at hand acknowledges our SYN, or ends it
void handshake_due(void);                   // repeats those whose time has come
uint16_t handshake_next(void);              // ticks until the next is due

void tag_put(const struct whit_tcb *tcb, uint32_t rcv_nxt, uint32_t snd_nxt, enum tag_end end);
void tag_look(void);                        // finds the tag of the segment's peer: rx.tag, rx.origin and rx.work say so
void tag_close(struct whit_tag *tag, enum tag_end end);
void tag_sweep(void);

void peer_init(void);
uint16_t peer_find(uint32_t addr);      // WHIT_PEERS: none
uint16_t peer_learn(uint32_t addr);     // finds or makes a place; WHIT_PEERS: all are in use
extern uint16_t peer_srtt[WHIT_PEERS], peer_rttvar[WHIT_PEERS];    // eighths and quarters of ticks; 0: not measured
void arp_learn(uint32_t addr);          // the frame being received came from there

// ------------------------------------------------------------------------------------------------ timer.c

void timer_init(void);
void timer_due(void);       // calls those whose time has come
uint16_t timer_next(void);  // ticks until the next is due

// ------------------------------------------------------------------------------------------------ buffer.c

enum block_kind {
    BLOCK_ARGUMENTS,    // of the request: struct args_t
    BLOCK_OUTPUT,       // octets of a response that are kept (content_kept.c)
    BLOCK_INPUT,        // octets that were received and acknowledged, and not read yet
    BLOCK_RUN,          // what is kept of a generator between two segments
    BLOCK_BODY,         // of a request's body: where its reading stands
    BLOCK_ANSWER,       // what a handler chose of its response's head (answer.c)
    BLOCK_KIND_CNT = BLOCK_ANSWER + WHIT_HAS_ANSWER
};
uint8_t *buffer_find(const struct whit_tcb *tcb, enum block_kind kind, uint16_t *len);
uint8_t *buffer_tail(uint16_t *room);                  // free octets behind everything, until the next call into buffer.c
uint8_t *buffer_claimed(void);                         // start of the octets that the frame being received has claimed
bool buffer_claim(uint16_t more);                      // takes `more` octets at the end for the frame; false: no room
bool buffer_claim_block(uint16_t len);                 // the same, such that a second block may follow it
uint16_t buffer_input_room(void);                      // octets that may wait there as input: never the second half, which is for answers
bool buffer_keep(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // makes a block of the claim's octets
void *buffer_make(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);   // makes one of the tail's; NULL: no room, or a claim
void buffer_cut(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);     // keeps its first `len` octets
void buffer_append(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);  // the claim's octets go to its end; always possible
void buffer_trim(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // drops its first `len` octets
void buffer_free(const struct whit_tcb *tcb, enum block_kind kind);
bool buffer_others(const struct whit_tcb *tcb);        // something of another connection is kept, which does not itself wait for room
void buffer_init(void);
static inline bool input_waits(const struct whit_tcb *tcb)
{
    uint16_t len;
    return KEEPS_INPUT && buffer_find(tcb, BLOCK_INPUT, &len) != NULL;
}

// ------------------------------------------------------------------------------------------------ http_*.c, automaton.c

#define NODE_NONE 0xffff
#define LAST 0x80    // of an alternative's character
bool in_class(uint8_t class, uint8_t c);                          // enum whit_class
const uint8_t *automaton_next(const uint8_t *list, uint8_t c);    // what follows the alternative for c; NULL: there is none
uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c);    // NODE_NONE: no way on
uint16_t automaton_value(const uint8_t *automaton, uint16_t node);              // NODE_NONE: it does not end here

// Takes octets of a request. Returns how many, which is less than len when the request ended or was refused.
uint16_t http_parse(struct whit_tcb *work, const uint8_t *octets, uint16_t len);
bool http_complete(const struct whit_tcb *work);
bool http_refused(const struct whit_tcb *work);
bool http_no_room(const struct whit_tcb *work);
static inline bool http_starved(const struct whit_tcb *work)    // no room for its arguments: forget the segment, it comes again
{
    return (WHIT_HAS_ARGUMENTS || WHIT_HAS_BODY) && http_no_room(work);
}
void http_answer(struct whit_tcb *tcb);            // the request in tcb is complete: decide, and begin the response
void http_refuse(struct whit_tcb *tcb, uint8_t status);    // begins an error response that ends the connection
void http_continue(struct whit_tcb *tcb);          // begins "100 Continue"

// ------------------------------------------------------------------------------------------------ body.c, http_body.c

uint16_t body_block_len(const struct whit_tcb *t);     // of the BLOCK_BODY that the request in t claimed
void body_run(struct whit_tcb *tcb);                   // the head is complete, or octets of the body have come
void body_resume(struct whit_tcb *tcb);                // "100 Continue" is acknowledged
bool body_pending(const struct whit_tcb *tcb);         // a body is read, waits for "100 Continue", or for its answer
bool body_whole(const struct whit_tcb *tcb);           // all of it has come, and a handler is still to read it
bool body_idle(const struct whit_tcb *tcb, uint16_t *ticks);    // one is read; ticks since something came or was read
bool body_due(struct whit_tcb *tcb);                   // false: it is not a body's turn, or the body took too long
void body_wake(struct whit_tcb *tcb);                  // there may be room again
uint16_t body_window(const struct whit_tcb *tcb);      // to announce now
void body_refused(const struct whit_tcb *tcb);         // octets found no room
bool body_repeats(const struct whit_tcb *tcb);         // the acknowledgment that was sent is sent once more

// ------------------------------------------------------------------------------------------------ response.c, content_static.c

// One piece of a response in flash.
struct piece {
    const uint8_t *octets;
    const uint16_t *sums;     // of its chunks (tables.h); NULL: it has none, and is sent whole
    uint32_t len;
    uint16_t sum;             // of all of it
    uint16_t stored_sums;     // of stored content: address of its sums in persistent memory, where its octets are too; 0: in flash
};
// Positions in a response, of which some come to stand still while octets of a stream go by (response_advance()).
struct extent {
    uint32_t len;        // behind the last octet that is known now, without FIN
    uint32_t content;    // where content begins, with what frames it when it is generated; 0: an error
    bool ended;          // nothing comes behind `len`
    bool more;           // more can be generated behind `len` at once
    bool even;           // what lies from `batch` on is best sent in an even number of segments
    bool apart;          // all of it is kept, and its head best goes ahead in a segment of its own
    uint32_t batch;
};
static inline bool extent_ended(const struct extent *e) { return !(WHIT_HAS_THREADS || WHIT_HAS_RERUN) || e->ended; }
static inline bool extent_more(const struct extent *e) { return (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN) && e->more; }
uint8_t response_status(const struct whit_tcb *tcb);            // enum http_status
struct extent response_extent(const struct whit_tcb *tcb);
enum walked {
    WALKED,
    WALK_NOTHING,    // of the content can be sent now
    WALK_CHANGED,    // the generator says something else now
    WALK_AGAIN,      // from the beginning, with a new walk
};
// Walks over what there is room for and is there. content: extent.content.
enum walked response_walk(struct walk *w, const struct whit_tcb *tcb, uint32_t content);
void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only);
void response_advance(struct whit_tcb *tcb, uint16_t acked);    // so many octets more are acknowledged
void response_forget(const struct whit_tcb *tcb);               // gives back what was kept for it
bool response_waits(const struct whit_tcb *tcb);                // nothing can be sent until its generator goes on

bool static_walk(struct walk *w, const struct piece *p);    // true: to its end, and there is room for more

// ------------------------------------------------------------------------------------------------ generator.c, framing.c, content_*.c, out.c

// How the octets of a content are found (DESIGN.md section 1).
enum way { WAY_STATIC /* S0 */, WAY_STORED /* the same, in persistent memory */, WAY_HEAD /* none: HEAD of what is not plain */, WAY_KEPT /* S1, S3 */, WAY_REPLAY /* S2 */, WAY_RERUN /* S4 */ };
enum way content_way_generated(const struct whit_tcb *tcb);
static inline enum way content_way(const struct whit_tcb *tcb)
{
    return WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? content_way_generated(tcb) : WAY_STATIC;
}

// Begins the response of the request's generator. enum http_status, or HTTP_STATUS_CNT: no room now.
uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator);
bool body_answer(const struct whit_tcb *tcb, const struct whit_generator *generator);    // runs doPost or doPostOut; false: it cannot answer
const struct whit_generator *content_generator(const struct whit_tcb *tcb);    // of the response
struct args_t *content_args(const struct whit_tcb *tcb);
bool generator_admits(const struct whit_tcb *tcb, const struct whit_generator *generator);    // its initGet handler lets the request pass

// answer.c, with WHIT_HAS_ANSWER: what the request's handlers chose of the response's head.
struct whit_answer {
    uint8_t status;                        // 1 + a text of whit_answer_texts; 0: 200
    uint8_t fields[WHIT_ANSWER_FIELDS];    // the same; 0: no more
};
bool answer_begin(const struct whit_tcb *tcb);                      // nothing yet; false: no room
void answer_open(const struct whit_tcb *tcb);                       // a handler runs that may choose,
void answer_close(void);                                            // ... and has returned
uint8_t answer_end(const struct whit_tcb *tcb, uint8_t status);     // of the handlers: the status, or HTTP_500 instead
void answer_again(struct whit_answer *answer);                      // one runs again: what it chooses goes there,
bool answer_same(const struct whit_tcb *tcb, const struct whit_answer *now);    // ... and must be the same
bool answer_piece(const struct whit_tcb *tcb, uint8_t which, struct piece *p);

// How the end of a generated content is told (RFC 9112 section 6.3).
enum framing { FRAMING_LENGTH, FRAMING_CHUNKED, FRAMING_CLOSE };
enum framing content_framing(const struct whit_tcb *tcb);
#define CHUNK_HEAD 5     // three digits, CR LF
#define CHUNK_AROUND 12  // the same, CR LF, last chunk
#define CHUNK_DATA_MAX 4095
#define LENGTH_LINES 28  // octets of a Content-Length of 24 bits and of the empty line
void framing_length(uint8_t *to, uint32_t content_len);    // writes them
// What stands before and behind `len` octets: how many octets it has, and writing it. Of no octets, nothing stands before.
uint8_t framing_before_len(enum framing framing, uint16_t len);
uint8_t framing_behind_len(enum framing framing, uint16_t len, bool last);
uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len);
uint8_t framing_behind(uint8_t *to, enum framing framing, uint16_t len, bool last);
void framing_walk(struct walk *w, uint32_t content_len);    // the same lines

// content_kept.c: octets that are kept until they are acknowledged; of a thread, those that the buffer holds.
uint8_t kept_begin(const struct whit_tcb *tcb, uint16_t len);    // keeps the first octets of the tail
// admitted: its initGet handler has run already.
uint8_t kept_thread_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, bool admitted);
bool kept_more(const struct whit_tcb *tcb);    // lets the thread write on; false: it cannot
uint32_t kept_len(const struct whit_tcb *tcb, bool *ended);
uint16_t kept_batch(const struct whit_tcb *tcb);    // of a thread: where what it wrote last begins
#define KEPT_PLAIN 0xffff
void kept_walk(struct walk *w, const struct whit_tcb *tcb);
uint16_t kept_acked(const struct whit_tcb *tcb, uint32_t upto);    // octets of a thread that are forgotten
enum framing kept_framing(const struct whit_tcb *tcb);

// content_replay.c: the generator runs from its beginning for every segment.
uint8_t replay_begin(const struct whit_tcb *tcb, uint32_t len, uint16_t hash);
uint32_t replay_len(const struct whit_tcb *tcb, bool *more);    // what frames it included
enum walked replay_walk(struct walk *w, const struct whit_tcb *tcb);

// content_rerun.c: the generator runs again from a rerun point for every segment.
uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, uint32_t *cost_us);    // of a chunk
uint32_t rerun_len(const struct whit_tcb *tcb, bool *ended, bool *more);
enum walked rerun_walk(struct walk *w, const struct whit_tcb *tcb);
uint16_t rerun_new_len(const struct whit_tcb *tcb, bool *last);    // octets on the wire of the chunk that was made
void rerun_sent(const struct whit_tcb *tcb);    // it is on its way
uint16_t rerun_acked(const struct whit_tcb *tcb, uint32_t upto);       // octets of chunks that lie before `upto`, which are forgotten
enum framing rerun_framing(const struct whit_tcb *tcb);

// Stored content. The request's resource becomes the bank that holds the current version; RESOURCE_NONE: there is none.
void content_stored_select(struct whit_tcb *tcb);
bool content_is_stored(const struct whit_tcb *tcb);             // of a response
uint32_t content_stored_etag(const struct whit_resource *r);    // of the current version; 0: there is none
// Of what follows the resource's head: field lines that only the version tells, the empty line, and then content if it
// is wanted. Octets, and walking over them.
uint16_t content_stored_len(const struct whit_tcb *tcb, bool content);
void stored_walk(struct walk *w, const struct whit_tcb *tcb, bool content);
uint16_t stored_sum_at(uint16_t address);                       // a prefix sum
uint16_t stored_checksum(const struct piece *p, uint32_t from, uint16_t len);    // of octets inside a chunk
void stored_init(void);

// Where out_*() write: octets [from, from + room) of what the generator says go to `to`, the others are counted.
struct whit_out {
    uint8_t *to;
    uint32_t from;
    uint32_t len;      // octets written so far in all
    uint16_t room;
    uint16_t hash;     // of all of them: tells whether a generator says the same again
    uint16_t limit;    // a protothread waits before it would write more than this
};
extern struct whit_out *whit_out;    // of the generator that runs

#endif
