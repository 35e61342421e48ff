// SPDX-License-Identifier: MIT
// Segments of a connection with a slot (RFC 9293 section 3.10.7.4, RFC 5961).
#include "connection.h"
#include "../link/segment.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "../http/http.h"
#include "../link/link.h"
#include "../recovery/recovery.h"

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

// Out of place: tells our position. A segment without data is answered no oftener than a challenge allows, so that two ends
// that find each other's acknowledgments wrong do not answer for ever.
static void ack_position(struct whit_tcb *tcb, bool pure)
{
    if (!pure || challenge_allowed())
        owe_ack(tcb);
}

// Octets before it are missing: a duplicate acknowledgment, at once (RFC 5681 section 4.2). A driver that keeps frames keeps it
// until they are there.
static void ahead_of_gap(struct whit_tcb *tcb)
{
    if (!frame_repeated())
        owe_ack(tcb);
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

// Newcomers wait for a slot: who asks again waits behind them, where its frame is kept. Else it would have to send it again.
static bool is_wanted(void)
{
    return WHIT_KEEPS_FRAMES && whit.crowded_since != 0;
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
    if (!follows || http_starved(&whit.rx.pending) || is_wanted()) {
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

// SEG.ACK acknowledges nothing that was not sent, and is not ages old (RFC 9293 section 3.10.7.4, RFC 5961 section 5.2).
static bool ack_acceptable(const struct whit_tcb *tcb)
{
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    return tcb->snd_una + flight - seg_ack() <= flight + UINT32_C(0xffff);
}

// The peer has received what this slot never sent, and has something to say: a late copy of its first request opened the slot
// after its connection was forgotten. It gets the RST of SYN-RECEIVED (RFC 9293 section 3.10.7.4), as it would wait for ever.
static void wrong_ack(struct whit_tcb *tcb, bool pure)
{
    count(WHIT_DROP_TCP_ACK);
    if (!pure && seq_lt(tcb->snd_una, seg_ack()))
        tcp_refuse();
    else
        ack_position(tcb, pure);
}

// RFC 9293 section 3.10.7.4, first check: some of it lies in the receive window, or its edge does. old: octets of it before RCV.NXT;
// less than 0: octets that are missing before it.
static bool acceptable(uint32_t old)
{
    uint16_t len = (uint16_t)(whit.rx.payload_len + ((seg_flags() & TCP_FIN) != 0));
    return old + (WHIT_RCV_WND - 1) < (len == 0 ? 1 : len) + (uint32_t)(WHIT_RCV_WND - 1);
}

void slot_commit(void)
{
    struct whit_tcb *tcb = whit.rx.slot;
    uint8_t flags = seg_flags();
    bool pure = seg_is_pure();
    uint32_t old = tcb->rcv_nxt - seg_seq();
    bool ahead = (int32_t)old < 0;
    if ((flags & TCP_RST) != 0) {
        if (old == 0)
            connection_dead(tcb);
        else if (0 - old < WHIT_RCV_WND)
            ack_position(tcb, true);
    } else if ((flags & TCP_SYN) != 0) {
        ack_position(tcb, true);
    } else if ((flags & TCP_ACK) == 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (!ack_acceptable(tcb)) {
        wrong_ack(tcb, pure);
    } else if (!acceptable(old)) {
        count(WHIT_DROP_TCP_SEQUENCE);
        if (!frame_repeated())
            ack_position(tcb, pure);
        if (!pure)
            recovery_heard(tcb);
    } else {
        if (tcb->state != TCB_RESPONSE || tcb->response.retries != 0)    // else what it was told has come where it is
            link_learn(tcb);
        if (tcb->state == TCB_RESPONSE)
            acknowledged(tcb, pure, ahead);
        else if (!pure)
            request_data(tcb, ahead);
    }
}
