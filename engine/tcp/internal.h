// SPDX-License-Identifier: MIT
// For the files of this layer only.
#ifndef WHIT_TCP_INTERNAL_H
#define WHIT_TCP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/limits.h"
#include "../core/tcb.h"
#include "whit/engine.h"

// RFC 9293 section 3.3.1. len: octets of the sequence space, a SYN or FIN counting as one.
CALLED void octets_received(struct whit_tcb *tcb, uint16_t len)
{
    tcb->rcv_nxt += len;
}
CALLED void octets_acknowledged(struct whit_tcb *tcb, uint16_t len)
{
    tcb->snd_una += len;
}
// ends the flight: all octets are acknowledged
static inline void all_acknowledged(struct whit_tcb *tcb, uint32_t ack)
{
    tcb->snd_una = ack;
}
// as a tag or a cookie proves
static inline void octet_expected(struct whit_tcb *tcb, uint32_t seq)
{
    tcb->rcv_nxt = seq;
}

void tcp_judge(void);    // judges the current segment: its effect on its connection

// Results of the judge for a segment with a slot ...
// True if the request must leave a slot to others that found none. A driver that keeps frames keeps it after theirs.
// Without that, it is dropped when less than half of the slots would be free. more: slots that it would take.
bool connection_gives_way(uint8_t more);
// ... and without one.
void stateless_unknown(void);    // no connection is known that it could be of
void stateless_syn(void);
void stateless_tell(void);    // it is out of place: the position of its connection
void stateless_take(void);    // handles a segment of an idle or closing connection

// Moves the request that rx.pending read into its slot.
void request_commit(struct whit_tcb *tcb);
void request_queue(struct whit_tcb *tcb);                         // ... or, while it answers, waits for its turn
void request_pipelined(struct whit_tcb *tcb);                     // reads the next request from the stored input
void request_kept(struct whit_tcb *tcb);                          // continues with the stored input
void request_again(struct whit_tcb *tcb, bool between_frames);    // the same for one that found no room before
void request_body(struct whit_tcb *tcb);                          // reads the body after "100 Continue"
void request_late(struct whit_tcb *tcb);    // continues with one that was deferred (sealed_defers())

// Under TLS (tcp_tls.c).
//
// Reserves the block of a connection that begins, or resumes after it was idle. False: its keys were dropped.
bool sealed_reserve(void);
void sealed_open(struct whit_tcb *tcb);    // ... and its block
// this host has too many handshakes in progress: another one would leave none for others
bool sealed_crowded(uint32_t addr);
void sealed_input(struct whit_tcb *tcb);    // reads records, and their content
// early data: the slot whose answer was computed in the last turn; NULL: none
struct whit_tcb *sealed_turn_over(void);
void sealed_rest(struct whit_tcb *tcb);    // a tag remembers it if nothing is under way
bool sealed_rests(const struct whit_tcb *tcb);
// one that has been idle for a while: its next request is hardly on its way
bool sealed_rested(const struct whit_tcb *tcb);
bool sealed_awaits(const struct whit_tcb *tcb);    // its hello is whole, and to be answered
// its octets found no room: ends another idle connection; false: no other one is idle
bool sealed_make_room(const struct whit_tcb *tcb);
void sealed_dismiss(struct whit_tcb *tcb);    // sends a close_notify, and frees its slot
void sealed_slice(void);                      // a slice of a handshake
bool sealed_waits(void);                      // there are slices to be computed
void sealed_early(void);                      // behind them, with early data: reads the octets that came with the hello
void sealed_awaits_turn(struct whit_tcb *tcb);    // its hello is whole: it gets its turn
bool sealed_finished(struct whit_tcb *tcb);       // its response is acknowledged; true: nothing else is to be done
bool sealed_due(struct whit_tcb *tcb);            // its time has come; false: in the midst of a request
struct tls_kept *sealed_idle_of(const struct whit_tag *tag);                 // NULL: its keys are not known any more
struct tls_kept *sealed_idle_free(void);                                     // a place for them; NULL: no place
void sealed_idle_mark(struct tls_kept *kept, const struct whit_tag *tag);    // it is of this tag
// writes its close_notify, TLS_CLOSE_LEN octets or none; nothing is sealed after it
uint8_t sealed_idle_last(const struct whit_tag *tag, uint8_t *last);
// wipes keys of ended connections whose tag will remember another one
void sealed_idle_wipe(void);
void sealed_wipe(const struct whit_tcb *tcb);    // its keys, before its slot is given back
// the peer's FIN came, or its time is up; false: in the midst of a request
bool sealed_cut_off(struct whit_tcb *tcb);

// Takes an acceptable acknowledgment, and SEG.WND. True: the response is acknowledged to its end.
// pure: the segment has neither data nor FIN, so that it may be a duplicate acknowledgment.
bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack);    // ack would be the last

void tcp_refuse(void);    // the segment being received, by RST
// sends a segment without data; false: not sent
bool tcp_empty(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags);
// answers the current segment: the answer is sent after its effect
void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags);
void tcp_answer_now(void);    // sends it
// `len` octets that belong to no response, a FIN counting as one: no acknowledgment is awaited
void connection_sent(struct whit_tcb *tcb, uint16_t len);
// Retransmits one segment, from snd_una + offset on, inside of the peer's window and of the flight. If the content has
// changed, the slot is gone when it returns.
void tcp_resend(struct whit_tcb *tcb, uint16_t offset);
void tcp_reset(const struct whit_tcb *tcb);    // sends a RST at the peer's place; the slot stays

void connection_open(struct whit_tcb *tcb, uint32_t rcv_nxt, uint32_t snd_nxt);    // keeps its address and port only
struct whit_tcb *connection_take(const struct whit_tcb *opened);                   // a slot for it, or NULL
// the current frame has a whole request, or under TLS a whole record
bool request_whole(void);
// the current frame finds no slot, no room or no turn: the peer or the driver repeats it
void held_wants(enum whit_taken why);
// kept_frames.c: the driver wants a message to the peer of the current frame
bool held_tells(void);
bool held_urges(void);      // ... or it is of a newcomer that has waited
bool held_lets_go(void);    // ... or its connection is reset
// the frame finds no slot or no room: sends the driver's message to its peer
void held_answer(void);

// kept_frames.c: octets that the driver keeps for a slot; with WHIT_HOLDS_FRAMES.
void promised_latest(void);                                       // the current frame has taken effect
void promised_none(const struct whit_tcb *tcb);                   // a new connection has the slot
void promised_taken(const struct whit_tcb *tcb, uint16_t len);    // `len` octets of it were taken
// acknowledges the current frame, before which octets are missing
void gap_acknowledge(struct whit_tcb *tcb);
// the acknowledgment of the current frame names its octets in a block
void block_set(const struct whit_tcb *known);
void block_permits(bool permitted);    // permission of such blocks in the current SYN

// octets of the current frame found no room: evicts a stalled slot
void connection_make_room(void);
// after LEFT_: true: a slot was evicted, so that the segment can take effect
bool connection_room(void);
// Work of tcp_commit() after a segment has taken effect, besides an answer: no flags of TCP have these bits.
#define LEFT_REQUEST 0x20    // its part of a request takes effect in rx.slot
#define LEFT_SLOT 0x40       // it needs a slot: another one is evicted
#define LEFT_ROOM 0x80       // it needs room: another slot is evicted
// the frame's request finds no room: it is repeated, after a stalled slot was evicted
void connection_starved(void);
void connection_release(struct whit_tcb *tcb);    // gives slot and buffer back
// it was reset: gives slot and buffer back, a tag remembers it for a while
void connection_dead(struct whit_tcb *tcb);
void connection_kill(struct whit_tcb *tcb, enum whit_counter why);    // resets it
void connection_changed(struct whit_tcb *tcb);                        // its content has changed: resets it
void connection_finished(struct whit_tcb *tcb);                       // the response is acknowledged

// matches the segment with a cookie: sets rx.origin and rx.pending
void cookie_match(void);

void repeats_syn_ack(uint32_t iss);    // the current SYN was answered
// the current segment was answered by a RST, and its octets were acknowledged before
void repeats_refused(void);
void repeats_over(void);    // the current segment acknowledges our SYN or FIN, or ends it
// With CLOSES_IDLE. Sends the FIN of an idle connection, from SND.UNA on, after its last octets. It is sent in the next
// turn, and retransmitted until it is acknowledged; without a place, once and now. repeats_take_fin(): one of both is
// possible.
bool repeats_take_fin(void);
void repeats_fin(const struct whit_tcb *peer, const uint8_t *source, const uint8_t *last, uint8_t last_len);
// True if the segment is of a closing connection without a tag; it was handled. The tag has another connection, or the
// segment was sent before the FIN arrived. A RST refuses its octets (RFC 9293 section 3.6, RFC 9112 section 9.5).
bool repeats_closing(void);

// remembers it, after all that was sent
const struct whit_tag *tag_put(const struct whit_tcb *tcb, enum tag_end end);
// finds the tag of the segment's peer: returns its enum rx_origin; sets rx.tag and rx.pending
uint8_t tag_match(void);
void tag_reset(void);    // the current segment ends its connection
void tag_close(struct whit_tag *tag, enum tag_end end);

// ------------------------------------------------------------------------------------------------ segments out

// Segments with their headers: by segment_plain.c in little flash, by segment_template.c with few instructions.

#define SYN_LEN (WHIT_SACK && sack_permitted() ? 28 : 24)    // octets of a SYN's header, with options
#define BLOCK_LEN 32                                         // ... with a block of RFC 2018
#define HEADER_LEN_MAX (WHIT_SACK ? WHIT_HOLDS_FRAMES ? BLOCK_LEN : 28 : 24)
#define OPTIONS_BLOCK UINT32_C(0x0101050a)             // two without meaning; SACK, one block
#define OPTIONS_SACK_PERMITTED UINT32_C(0x01010402)    // option of a SYN, after two without meaning

// kept_frames.c: octets that the driver keeps after RCV.NXT, and the block of the next acknowledgment; false: none.
#if WHIT_HOLDS_FRAMES
uint16_t promised_len(const struct whit_tcb *tcb);
bool block_told(uint32_t *from, uint32_t *to);
#else
static inline uint16_t promised_len(const struct whit_tcb *tcb)
{
    (void)tcb;
    return 0;
}
static inline bool block_told(uint32_t *from, uint32_t *to)
{
    (void)from;
    (void)to;
    return false;
}
#endif

// Begins a frame with IPv4 and TCP headers, for a payload of this length and sum. The headers have 40 octets, or with a
// SYN's options 44 or 48. tcb may be rx.pending: it answers the current segment. False: the frame cannot be sent, and
// nothing was sent.
bool segment_begin(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, uint16_t payload_len, uint16_t payload_sum);

// Sends the next full segment of a file by its template. Returns the offset from snd_una at its end. Returns the octets
// in flight if it cannot be sent now; 0 if the next segment is another one, or the windows do not permit all of it.
uint32_t segment_next(struct whit_tcb *tcb);

// With WHIT_HAS_LARGE. Returns the octets of this response for one frame, which the hardware sums and cuts into full
// segments. 0: the response is not a file, or the hardware cannot do that.
uint16_t segment_large(const struct whit_tcb *tcb);
// as segment_begin()
bool segment_begin_large(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, uint16_t payload_len);

#endif
