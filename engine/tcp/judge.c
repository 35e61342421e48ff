// SPDX-License-Identifier: MIT
// The one judge of segments, for slot, tag and cookie (RFC 9293 section 3.10.7, RFC 5961): the checks in their order.
// Its record of the connection has RCV.NXT, SND.UNA and the octets in flight: a slot, or rx.pending. A tag or a cookie
// has put the numbers of the segment there that it proves (idle.c, stateless.c); rx.origin tells which. The rest of
// this file and stateless.c act on the result.
#include "internal.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../response/response.h"

// answers a segment out of place with our position. pure: neither data nor FIN
static void slot_tell(struct whit_tcb *tcb, bool pure);
static void slot_old(struct whit_tcb *tcb, bool pure);    // it lies outside of the window
static void slot_take(bool ahead);    // takes its data into rx.slot. ahead: octets before it are missing
static bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure);

// True if SEG.ACK acknowledges only sent octets, and is not too old (RFC 9293 section 3.10.7.4, RFC 5961 section 5.2).
// For a frame that is passed again, it was judged the first time.
OWN_FRAME static bool ack_acceptable(const struct whit_tcb *tcb)
{
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    return frame_judged() || tcb->snd_una + flight - seg_ack() <= flight + UINT32_C(0xffff);
}

// RFC 9293 section 3.10.7.4, first check: a part of the segment lies in the receive window, or at its edge. A peer is
// at the edge if it has sent all of the window, of which we did not take all: its acknowledgments count. old: octets of
// the segment before RCV.NXT; less than 0: octets that are missing before it.
static bool seq_acceptable(uint32_t old)
{
    uint16_t len = seg_len();
    return old + WHIT_RCV_WND < (len == 0 ? 1 : len) + (uint32_t)WHIT_RCV_WND;
}

// A RST ends an idle connection, or one without a request yet, if it has its numbers. Without ACK the numbers are
// unknown: the tag ages.
static void judge_rst(struct whit_tcb *known, uint8_t origin, uint32_t old)
{
    if (old == 0) {
        if (origin == ORIGIN_SLOT)
            connection_dead(known);
        else if (HAS_TAGS && (seg_flags() & TCP_ACK) != 0 && origin <= ORIGIN_CLOSING)
            tag_reset();    // for a while: later segments are answered by RST
    } else if (0 - old < WHIT_RCV_WND && origin <= ORIGIN_OUT_OF_ORDER) {    // RFC 5961 section 3.2
        if (origin == ORIGIN_SLOT)
            slot_tell(known, true);
        else
            stateless_tell();
    }
}

// The peer has received octets that this slot never sent, and sends data. A late copy of its first request opened the
// slot after its connection was forgotten. It gets the RST of SYN-RECEIVED (RFC 9293 section 3.10.7.4), because it
// would wait for ever.
static void wrong_ack(struct whit_tcb *tcb, bool pure)
{
    count(WHIT_DROP_TCP_ACK);
    // the acknowledgment of a frame that waited is old
    if (!pure && !(frame_repeated() && seq_lt(seg_ack(), tcb->snd_una)))
        tcp_refuse();
    else
        slot_tell(tcb, pure);
}

// The segment belongs to no known connection; or its address and port have a tag with other numbers. These may be the
// numbers of a late copy. It acknowledges less than the peer has, so the peer ignores a RST at that place (RFC 9293
// section 3.10.7.4, first check). Or they are the numbers of a connection whose tag is lost.
static void wrong_numbers(uint8_t origin, bool pure)
{
    if (CLOSES_IDLE && repeats_closing())
        return;
    if (origin == ORIGIN_WRONG_SEQ && pure)
        count(WHIT_DROP_TCP_SEQUENCE);
    else
        stateless_unknown();
}

void tcp_judge(void)
{
    uint8_t flags = seg_flags(), origin = whit.rx.origin;
    bool slot = origin == ORIGIN_SLOT, pure = seg_is_pure();
    struct whit_tcb *known = slot ? whit.rx.slot : &whit.rx.pending;
    uint32_t old = known->rcv_nxt - seg_seq();
    if ((flags & TCP_RST) != 0)
        judge_rst(known, origin, old);
    else if (origin == ORIGIN_NO_PORT)
        stateless_unknown();
    else if ((flags & TCP_SYN) != 0)
        slot ? slot_tell(known, true) : stateless_syn();
    else if ((flags & TCP_ACK) == 0)
        count(WHIT_DROP_TCP_HEADER);
    else if (origin >= ORIGIN_WRONG_SEQ)
        wrong_numbers(origin, pure);
    else if (origin == ORIGIN_OUT_OF_ORDER)
        stateless_tell();
    else if (!slot)
        stateless_take();
    else if (!ack_acceptable(known))
        wrong_ack(known, pure);
    else if (!seq_acceptable(old))
        slot_old(known, pure);
    else
        slot_take((int32_t)old < 0);
}

// ------------------------------------------------------------------------------------------------ segments for a slot

// Effects of segments on a connection with a slot.

// RFC 5961 section 10.
static bool challenge_allowed(void)
{
    uint8_t now = (uint8_t)(whit.now_ms >> CHALLENGE_SHIFT);
    if (now == whit.challenged)
        return false;
    whit.challenged = now;
    count(WHIT_COUNT_CHALLENGE_ACK);
    return true;
}

// Octets before it are missing: a duplicate acknowledgment, at once (RFC 5681 section 4.2). A driver that keeps frames
// keeps it until they are there.
static void ahead_of_gap(struct whit_tcb *tcb)
{
    if (!frame_repeated())
        WHIT_HOLDS_FRAMES ? gap_acknowledge(tcb) : owe_ack(tcb);
    frame_waits(WHIT_WAITS);
}

// The response is acknowledged by the segment that brings the next request.
static void next_request(struct whit_tcb *tcb)
{
    response_forget(tcb);
    request_begin(tcb);
    table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
    whit.left_to_do = LEFT_REQUEST;
}

static void acknowledged(struct whit_tcb *tcb, bool pure, bool ahead)
{
    bool follows = !ALWAYS_CLOSES && whit.rx.brings_request && !ahead;
    if (!pure && ahead)
        ahead_of_gap(tcb);
    else if (!pure && !follows)
        request_queue(tcb);
    if (frame_repeated() || !response_acknowledge(tcb, seg_ack(), seg_wnd(), pure))
        return;
    if (!follows || http_starved(&whit.rx.pending) || connection_gives_way(0)) {
        if (follows)
            frame_waits(WHIT_WAITS);    // for its turn; or the response made the room that it did not find
        connection_finished(tcb);
    } else {
        next_request(tcb);
    }
}

static void request_data(struct whit_tcb *tcb, bool ahead)
{
    if (ahead) {
        count(WHIT_DROP_TCP_SEQUENCE);
        ahead_of_gap(tcb);
    } else if (tcb_waits(tcb)) {
        request_queue(tcb);
    } else if (http_starved(&whit.rx.pending)) {
        connection_starved();
    } else {
        whit.left_to_do = LEFT_REQUEST;
    }
}

// Answers a segment out of place. A segment without data is answered at most as often as a challenge permits. Otherwise
// two ends with wrong acknowledgments would answer each other for ever.
static void slot_tell(struct whit_tcb *tcb, bool pure)
{
    if (!pure || challenge_allowed())
        owe_ack(tcb);
}

static void slot_old(struct whit_tcb *tcb, bool pure)
{
    count(WHIT_DROP_TCP_SEQUENCE);
    if (!frame_repeated())
        slot_tell(tcb, pure);
    if (!pure)
        recovery_heard(tcb);
}

static void slot_take(bool ahead)
{
    struct whit_tcb *tcb = whit.rx.slot;
    bool pure = seg_is_pure();
    if (WHIT_HOLDS_FRAMES && held_lets_go()) {
        connection_kill(tcb, WHIT_COUNT_SLOT_EVICTED);
        return;
    }
    // else our segments arrive: its link address is right
    if (tcb->state != TCB_RESPONSE || tcb->response.retries != 0)
        link_learn(tcb);
    if (tcb->state == TCB_RESPONSE)
        acknowledged(tcb, pure, ahead);
    else if (!pure)
        request_data(tcb, ahead);
}

// ------------------------------------------------------------------------------------------------ acknowledgments

// Acknowledgments of a response in flight: octets that arrived, and the peer's window (RFC 9293 section 3.10.7.4).

// All of it is acknowledged, a FIN included.
static bool is_finished(const struct whit_tcb *tcb, struct extent *extent)
{
    if (tcb->response.flight != 0)
        return false;
    if (!WHIT_HAS_GENERATORS)
        response_extent(tcb, extent);
    return extent_ended(extent) && tcb->position == extent->len + extent_fin(extent, tcb);
}

bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack)
{
    if (ALWAYS_CLOSES || tcb->state != TCB_RESPONSE || tcb->response.flight == 0 ||
        ack - tcb->snd_una != tcb->response.flight || connection_ends(tcb) || input_waits(tcb))
        return false;
    struct extent extent;
    response_extent(tcb, &extent);
    return extent_ended(&extent) && tcb->position + tcb->response.flight == extent.len;
}

static __attribute__((noinline)) void advance(struct whit_tcb *tcb, uint16_t acked, struct extent *extent)
{
    HOLDS(tcb->state == TCB_RESPONSE && acked <= tcb->response.flight);
    bool reached = tcb->response.mark <= acked;
    octets_acknowledged(tcb, acked);
    response_advance(tcb, acked, extent);
    tcb->response.flight = (uint16_t)(tcb->response.flight - acked);
    mark_acked(tcb, acked, reached);
    recovery_acked(tcb, acked, reached);
    tcb->response.retries = 0;
}

static void window_opens(struct whit_tcb *tcb)
{
    tcb->response.retries = 0;
    if (tcb->response.flight != 0)
        mark_goes_back(tcb);    // a probe that the peer had no room for
}

static bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure)
{
    uint16_t before = tcb->response.wnd, after = window_code(wnd);
    uint32_t acked = ack - tcb->snd_una;
    if (acked > tcb->response.flight)
        return false;    // an old duplicate
    struct extent extent;
    if (WHIT_HAS_GENERATORS)
        response_extent(tcb, &extent);
    window_update(tcb, wnd);
    if (acked != 0)
        advance(tcb, (uint16_t)acked, &extent);
    else if (((pure && before == after) || (WHIT_SACK && sack_told())) && tcb->response.flight != 0 && after != 0)
        recovery_duplicate(tcb);
    if (before == 0 && after != 0)
        window_opens(tcb);
    if (is_finished(tcb, &extent))
        return true;
    table_ready(tcb);
    if (acked != 0 || before != after)
        retransmit_arm(tcb);
    return false;
}
