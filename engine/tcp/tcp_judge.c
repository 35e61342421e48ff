// SPDX-License-Identifier: MIT
// The one judge of segments, for slot, tag and cookie (RFC 9293 section 3.10.7, RFC 5961): the checks in their order. It has a record of
// what is known, RCV.NXT, SND.UNA and what is in flight: a slot, or rx.pending, where a tag or a cookie has put which of the segment's
// own numbers it proves (tag.c, cookie.c); rx.origin says how much that is. What follows is done by tcp_slot.c and tcp_stateless.c.
#include "connection.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/segment.h"

// SEG.ACK acknowledges nothing that was not sent, and is not ages old (RFC 9293 section 3.10.7.4, RFC 5961 section 5.2). That of a frame
// which is offered again was judged when it came.
static bool ack_acceptable(const struct whit_tcb *tcb)
{
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    return frame_judged() || tcb->snd_una + flight - seg_ack() <= flight + UINT32_C(0xffff);
}

// RFC 9293 section 3.10.7.4, first check: some of it lies in the receive window, or at its edge. There stands a peer that has sent all of
// the window, of which we did not take all: its acknowledgments count. old: octets of it before RCV.NXT; less than 0: octets that are
// missing before it.
static bool seq_acceptable(uint32_t old)
{
    uint16_t len = seg_len();
    return old + WHIT_RCV_WND < (len == 0 ? 1 : len) + (uint32_t)WHIT_RCV_WND;
}

// With the numbers of an idle connection, or of one that has not asked yet, a RST ends it. Without ACK it cannot be told: the tag ages.
static void judge_rst(struct whit_tcb *known, uint8_t origin, uint32_t old)
{
    if (old == 0) {
        if (origin == ORIGIN_SLOT)
            connection_dead(known);
        else if (HAS_TAGS && (seg_flags() & TCP_ACK) != 0 && origin <= ORIGIN_CLOSING)
            tag_reset();    // for a while: what comes on it still is answered by RST
    } else if (0 - old < WHIT_RCV_WND && origin <= ORIGIN_OUT_OF_ORDER) {    // RFC 5961 section 3.2
        if (origin == ORIGIN_SLOT)
            slot_tell(known, true);
        else
            stateless_tell();
    }
}

// The peer has received what this slot never sent, and has something to say: a late copy of its first request opened the slot
// after its connection was forgotten. It gets the RST of SYN-RECEIVED (RFC 9293 section 3.10.7.4), as it would wait for ever.
static void wrong_ack(struct whit_tcb *tcb, bool pure)
{
    count(WHIT_DROP_TCP_ACK);
    if (!pure && !(frame_repeated() && seq_lt(seg_ack(), tcb->snd_una)))    // what a frame acknowledged that waited is old
        tcp_refuse();
    else
        slot_tell(tcb, pure);
}

// Of no connection that is known; or its address and port have a tag, and the numbers are others: those of a late copy, which
// acknowledges less than the peer has, so that the peer ignores a RST at that place (RFC 9293 section 3.10.7.4, first check), or those of
// a connection whose tag is lost.
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
