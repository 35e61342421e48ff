// SPDX-License-Identifier: MIT
// What segments do to a connection with a slot, as tcp_judge.c says.
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

// Octets before it are missing: a duplicate acknowledgment, at once (RFC 5681 section 4.2). A driver that keeps frames keeps it
// until they are there.
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

// A segment without data is answered no oftener than a challenge allows, so that two ends that find each other's
// acknowledgments wrong do not answer for ever.
void slot_tell(struct whit_tcb *tcb, bool pure)
{
    if (!pure || challenge_allowed())
        owe_ack(tcb);
}

void slot_old(struct whit_tcb *tcb, bool pure)
{
    count(WHIT_DROP_TCP_SEQUENCE);
    if (!frame_repeated())
        slot_tell(tcb, pure);
    if (!pure)
        recovery_heard(tcb);
}

void slot_take(bool ahead)
{
    struct whit_tcb *tcb = whit.rx.slot;
    bool pure = seg_is_pure();
    if (WHIT_HOLDS_FRAMES && held_lets_go()) {
        connection_kill(tcb, WHIT_COUNT_SLOT_EVICTED);
        return;
    }
    if (tcb->state != TCB_RESPONSE || tcb->response.retries != 0)    // else what it was told has come where it is
        link_learn(tcb);
    if (tcb->state == TCB_RESPONSE)
        acknowledged(tcb, pure, ahead);
    else if (!pure)
        request_data(tcb, ahead);
}
