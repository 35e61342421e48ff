// SPDX-License-Identifier: MIT
// Requests that a driver keeps because they found no slot or no room. Their peers would retransmit them and double
// their timers each time, and would wait that long after the loss of a later request. Therefore the request is
// acknowledged, and its peer sends nothing more. It is probed whether it still exists (RFC 9293 section 3.8.4), and
// gets a RST when its request is dropped.
#include <stddef.h>

#include "internal.h"
#include "tcp.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/engine.h"

static uint8_t held;       // the current frame's enum whit_held; 0: no message
static bool held_whole;    // request_whole() of the last frame without a slot, room or a turn

void whit_input_held(enum whit_held how)
{
    held = WHIT_KEEPS_FRAMES ? (uint8_t)how : 0;
}

void held_over(void)
{
    held = 0;
}

// The body has a length, and no more octets than the frame brought.
static bool body_came(const struct whit_rx *rx)
{
    const struct whit_tcb *t = &rx->pending;
    return WHIT_GIVES_TURNS && WHIT_HAS_BODY && t->request.step == STEP_BODY && (t->request.flags & FLAG_CODING) == 0 &&
           body_of(t)->left <= rx->queued_len;
}

bool request_whole(void)
{
    const struct whit_rx *rx = &whit.rx;
    const uint8_t *record = buffer_reserved() + rx->reserved_len - rx->queued_len;
    return http_complete(&rx->pending) || (WHIT_GIVES_TURNS && http_refused(&rx->pending)) || body_came(rx) ||
           (is_tls(&rx->pending) && rx->queued_len >= TLS_HEADER &&
            load16_be(record + 3) <= rx->queued_len - TLS_HEADER);
}

void held_wants(enum whit_taken why)
{
    frame_waits(why);
    if (WHIT_GIVES_TURNS)
        held_whole = why == WHIT_NO_ROOM || (why != WHIT_WAITS && request_whole());
}

bool whit_input_whole(void)
{
    return held_whole;
}

bool held_tells(void)
{
    return held != 0 && held != WHIT_URGE;
}
bool held_lets_go(void)
{
    return held == WHIT_LET_GO;
}
bool held_urges(void)
{
    return held == WHIT_URGE;
}

// Returns a window that leaves the right edge in place: octets beyond it belong to no known connection.
#if WHIT_HOLDS_FRAMES
uint16_t held_window(void)
{
    uint16_t len = held_tells() ? whit.rx.payload_len : 0;
    return len < WHIT_RCV_WND ? (uint16_t)(WHIT_RCV_WND - len) : 0;
}
#endif

void held_answer(void)
{
    struct whit_rx *rx = &whit.rx;
    uint32_t seq = seg_ack(), ack = seg_seq() + rx->payload_len;
    // a peer with more octets to send does so by its own timer
    if (!held_tells() || (held != WHIT_LET_GO && !request_whole()))
        return;
    if (held != WHIT_LET_GO) {
        tcp_answer(held == WHIT_ASK ? seq - 1 : seq, ack, TCP_ACK);
        return;
    }
    tcp_answer(seq, ack, TCP_RST | TCP_ACK);    // its numbers are those of rx.pending now
    if (HAS_TAGS)
        tag_put(&rx->pending, TAG_RESET);
    if (WHIT_REPEATS != 0)
        repeats_refused();
    frame_waits(WHIT_TAKEN);
}

// ----------------------------------------------------------------------------------- acknowledged before they are read

// Octets that the driver keeps for a connection with a slot. Octets after RCV.NXT are acknowledged: the peer's timer
// then measures the network, and not the duration of the responses before them. Octets after a gap are acknowledged
// selectively, by the segment that brought them (RFC 2018, section 4). Linux counts no duplicate acknowledgment without
// a block if blocks are permitted.

#define UNWILLING 64u    // places for peers that permit no blocks, a power of two

static uint16_t promised_lens[WHIT_HOLDS_FRAMES ? WHIT_CONNECTIONS : 1];      // octets of each slot behind RCV.NXT
static uint32_t unwilling[WHIT_HOLDS_FRAMES && WHIT_SACK ? UNWILLING : 1];    // 0: unused
static struct whit_tcb *latest;    // the slot of the frame that ended last; NULL: it had none
static struct {
    uint32_t from, to;
} leaving;    // block of the next acknowledgment; empty: none

#if WHIT_HOLDS_FRAMES
uint16_t promised_len(const struct whit_tcb *tcb)
{
    uintptr_t at = (uintptr_t)tcb - (uintptr_t)whit_slots;    // rx.pending is no slot
    return at < sizeof whit_slots ? promised_lens[tcb - whit_slots] : 0;
}

bool block_told(uint32_t *from, uint32_t *to)
{
    *from = leaving.from;
    *to = leaving.to;
    return leaving.from != leaving.to;
}
#endif

void promised_none(const struct whit_tcb *tcb)
{
    promised_lens[tcb - whit_slots] = 0;
}

void promised_taken(const struct whit_tcb *tcb, uint16_t len)
{
    uint16_t *kept = &promised_lens[tcb - whit_slots];
    *kept = *kept > len ? (uint16_t)(*kept - len) : 0;
}

static uint32_t peer_code(const struct whit_tcb *tcb)
{
    return (tcb->remote_addr ^ (uint32_t)tcb->remote_port << 16 ^ tcb->remote_port) * UINT32_C(0x9e3779b1) | 1;
}

// Notes peers that do not permit blocks: nearly every peer does, so connections need no bit.
void block_permits(bool permitted)
{
    uint32_t code = peer_code(&whit.rx.pending), *place = &unwilling[(code >> 20) % UNWILLING];
    if (!permitted)
        *place = code;
    else if (*place == code)
        *place = 0;
}

static bool permits(const struct whit_tcb *tcb)
{
    uint32_t code = peer_code(tcb);
    return WHIT_SACK && unwilling[(code >> 20) % UNWILLING] != code;
}

void block_set(const struct whit_tcb *known)
{
    leaving.from = seg_seq();
    leaving.to = permits(known) ? leaving.from + whit.rx.payload_len : leaving.from;
}

void block_over(void)
{
    leaving.from = leaving.to = 0;
}

void gap_acknowledge(struct whit_tcb *tcb)
{
    if (!seq_lt(tcb->rcv_nxt + promised_len(tcb), seg_seq())) {
        owe_ack(tcb);
        return;
    }
    block_set(tcb);
    tcp_empty(tcb, tcb->snd_una + (tcb->state == TCB_RESPONSE ? tcb->response.flight : 0), TCP_ACK);
    block_over();
}

void promised_latest(void)
{
    latest = whit.rx.slot;
}

bool whit_input_next(uint32_t *seq)
{
    if (!WHIT_HOLDS_FRAMES || latest == NULL || latest->state == TCB_FREE)
        return false;
    *seq = latest->rcv_nxt + promised_len(latest);
    return true;
}

void whit_input_kept(uint32_t seq)
{
    struct whit_tcb *tcb = latest;
    uint32_t len = seq - tcb->rcv_nxt;
    if (len > WHIT_RCV_WND)
        len = WHIT_RCV_WND;
    if (len <= promised_len(tcb))
        return;
    promised_lens[tcb - whit_slots] = (uint16_t)len;
    owe_ack(tcb);
}
