// SPDX-License-Identifier: MIT
// The turns of a connection with a slot: its timer, room for one that waits for it, and the end of a response.
#include "internal.h"
#include "tcp.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "../recovery/recovery.h"
#include "../response/response.h"

#define TURN TICKS(WHIT_REQUEST_TIMEOUT_S *UINT32_C(1000))
#define TURNS_MAX 4    // turns that a request waits for room while others move

static void response_due(struct whit_tcb *tcb)
{
    switch (retransmit_due(tcb)) {
    case DUE_GIVE_UP:
        connection_kill(tcb, WHIT_COUNT_GIVEN_UP);
        break;
    case DUE_TAIL_PROBE:
        if (!WHIT_HAS_STORED || tcb->response.kind != KIND_GONE)    // octets that cannot be sent again are waited for
            tcp_resend(tcb, retransmit_tail(tcb));
        break;
    default:
        break;
    }
    if (tcb->state == TCB_RESPONSE && tcb->response.retries >= 2 && tcb->response.wnd != 0) {
        link_doubt(tcb);
        segment_init();    // no full segment is made ahead
    }
}

void connection_due(struct whit_tcb *tcb)
{
    if (WHIT_HAS_BODY && body_due(tcb))
        return;
    rx_forget(tcb);    // a segment that is half in was parsed for the state that ends here
    if (WHIT_HAS_GENERATORS && WHIT_CONNECTIONS > 1 && tcb->state == TCB_WAIT && request_waited(tcb) < TURNS_MAX &&
        responses_move(TURN)) {
        table_arm(tcb, TURN);
        return;
    }
    if (tcb->state == TCB_RESPONSE) {
        if (WHIT_HAS_THREADS && response_waits(tcb)) {
            recovery_rests(tcb);    // after a probe of a window that was closed, `polls` would be where to send again
            tcb->response.polls = (uint16_t)(tcb->response.polls + (tcb->response.polls != UINT16_MAX));
            table_ready(tcb);    // its generator runs again
            table_arm(tcb, THREAD_POLL);
        } else {
            response_due(tcb);
        }
        return;
    }
    if (is_tls(tcb) && tcb->state == TCB_REQUEST && sealed_due(tcb))
        return;
    bool waits = tcb_waits(tcb) || (WHIT_HAS_BODY && http_starved(tcb));
    if (WHIT_HAS_LOG) {
        enum log_why why = waits ? WHY_ROOM : WHIT_HAS_BODY && body_pending(tcb) ? WHY_BODY_TIMEOUT : WHY_TIMEOUT;
        log_why_number(tcb, why, WHIT_REQUEST_TIMEOUT_S);
    }
    http_refuse(tcb, waits ? HTTP_503 : HTTP_408);
    table_arm(tcb, RTO_INITIAL);
}

// Runs handlers again that wait for a connection that they opened.
static void handlers_wake(void)
{
    for (uint16_t number = clients_woken(); number != 0; number = clients_woken()) {
        struct whit_tcb *tcb = &whit_slots[number - 1];
        if (WHIT_FAST && WHIT_HAS_LATER && tcb->state == TCB_RESPONSE)
            (void)kept_rests(tcb);
        if (tcb->state == TCB_RESPONSE)
            table_ready(tcb);
        else if (WHIT_HAS_BODY && tcb->state == TCB_REQUEST)
            body_due(tcb);
    }
}

// Slots that wait for room try again: acknowledgments may have freed some.
void connection_wake(bool between_frames)
{
    if (WHIT_CLIENTS != 0)
        handlers_wake();
    if (!WHIT_HAS_GENERATORS || !whit.waiting)
        return;
    static uint16_t turn;    // the slot after the one that found room last: each has its turn
    uint16_t at = WHIT_CONNECTIONS > 1 ? turn : 0;
    whit.waiting = false;
    if (WHIT_FAST)
        waiters_try = true;
    for (uint16_t i = WHIT_CONNECTIONS; i != 0; i--) {
        struct whit_tcb *tcb = &whit_slots[at];
        at = at + 1 < WHIT_CONNECTIONS ? (uint16_t)(at + 1) : 0;
        if (tcb->state == TCB_WAIT) {
            http_answer(tcb);    // sets whit.waiting again if it still waits
            if (WHIT_CONNECTIONS > 1 && tcb->state != TCB_WAIT)
                turn = at;
        } else if (WHIT_HAS_BODY) {
            request_again(tcb, between_frames);
        }
        if (WHIT_HAS_BODY)
            body_wake(tcb);
    }
    if (WHIT_FAST)
        waiters_try = false;
}

void connection_finished(struct whit_tcb *tcb)
{
    if (is_tls(tcb) && sealed_finished(tcb))
        return;
    if (WHIT_HAS_BODY && body_pending(tcb)) {
        request_body(tcb);
        return;
    }
    response_forget(tcb);
    if (KEEPS_INPUT && !connection_ends(tcb) && input_waits(tcb)) {
        request_begin(tcb);
        table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
        request_pipelined(tcb);
    } else {
        // its slot cannot send it later; promised octets were acknowledged
        if (tcb->ack_now && promised_len(tcb) == 0)
            tcp_answer(tcb->snd_una, tcb->rcv_nxt, TCP_ACK);
        // After our FIN, the peer's is still to come, or may be retransmitted.
        if (HAS_TAGS)
            tag_put(tcb, connection_ends(tcb) ? TAG_CLOSED : TAG_IDLE);
        connection_release(tcb);
    }
}
