// SPDX-License-Identifier: MIT
// The life of a slot: taken by the first octet of a request, given back when the response is acknowledged and
// nothing more has come. What is left of a connection then is a tag.
#include "log.h"

#include <string.h>

void connection_open(struct whit_tcb *work, uint32_t rcv_nxt, uint32_t snd_nxt)
{
    *work = (struct whit_tcb){.remote_addr = work->remote_addr, .remote_port = work->remote_port, .rcv_nxt = rcv_nxt, .snd_una = snd_nxt};
    connection_request(work);
}

void connection_request(struct whit_tcb *tcb)
{
    memset(&tcb->request, 0, sizeof tcb->request);
    tcb->value = 0;
    tcb->request.left = WHIT_TARGET_MAX;
    tcb->request.node = WHIT_WORDS_START;
    tcb->request.resource = RESOURCE_NONE;
    tcb->state = TCB_REQUEST;
    tcb->close = 0;
    if (WHIT_HAS_LOG)
        log_request(tcb);
}

uint16_t ticks_left(const struct whit_tcb *tcb)
{
    uint16_t now = now_ticks();
    return tick_lt(now, tcb->deadline) ? (uint16_t)(tcb->deadline - now) : 0;
}

// It may be closed when a newcomer needs its slot: its request is not complete after a while, its response timed out twice, or
// its generator has waited for something for a while.
static bool stalled(const struct whit_tcb *tcb)
{
    uint16_t ticks;
    if (WHIT_HAS_BODY && body_idle(tcb, &ticks))
        return ticks >= STALLED;
    if (tcb->state == TCB_REQUEST)
        return ticks_left(tcb) + STALLED <= TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000));
    if (tcb->state != TCB_RESPONSE)
        return false;
    return tcb->response.retries >= 2 || (WHIT_HAS_THREADS && response_waits(tcb) && tcb->response.mark >= STALLED / THREAD_POLL);
}

static bool keeps(const struct whit_tcb *tcb)
{
    uint16_t len;
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_KIND_CNT; kind++)
        if (buffer_find(tcb, (enum block_kind)kind, &len) != NULL)
            return true;
    return false;
}

// One of 16 slots that is stalled; which 16 changes with time, so that all have their turn. room: one that keeps something.
static bool evict(bool room)
{
    uint16_t cursor = WHIT_CONNECTIONS > 16 ? now_ticks() % WHIT_CONNECTIONS : 0;
    for (uint8_t turns = WHIT_CONNECTIONS < 16 ? WHIT_CONNECTIONS : 16; turns != 0; turns--) {
        struct whit_tcb *tcb = &whit_slots[cursor];
        cursor = WHIT_CONNECTIONS > 16 ? (uint16_t)((cursor + 1) % WHIT_CONNECTIONS) : (uint16_t)(cursor + 1);
        if (tcb != whit.rx.slot && stalled(tcb) && (!room || keeps(tcb))) {
            connection_kill(tcb, WHIT_COUNT_SLOT_EVICTED);
            return true;
        }
    }
    return false;
}

void connection_starved(void)
{
    count(WHIT_DROP_NO_BUFFER);
    whit.rx.again = true;
    if (WHIT_HAS_BODY)
        evict(true);
}

struct whit_tcb *connection_take(const struct whit_tcb *work)
{
    struct whit_tcb *tcb = table_take(work);
    if (tcb == NULL && evict(false))
        tcb = table_take(work);
    if (tcb == NULL)
        return NULL;
    *tcb = *work;
    arp_learn(work->remote_addr);
    table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
    return tcb;
}

static void release(struct whit_tcb *tcb)
{
    rx_forget(tcb);
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_KIND_CNT; kind++)
        buffer_free(tcb, kind);
    table_release(tcb);
}

void connection_dead(struct whit_tcb *tcb)
{
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    METER_RESPONSE(tcb);
    if (WHIT_HAS_LOG) {
        log_why(tcb, WHY_RESET, WHIT_NAME_NONE, 0, 0);
        log_ended(tcb);
    }
    tag_put(tcb, tcb->rcv_nxt, tcb->snd_una + flight, TAG_RESET);
    release(tcb);
}

void connection_kill(struct whit_tcb *tcb, enum whit_counter why)
{
    count(why);
    if (WHIT_HAS_LOG)
        log_why(tcb, why == WHIT_COUNT_GIVEN_UP ? WHY_GIVEN_UP : WHY_EVICTED, WHIT_NAME_NONE, 0, 0);
    tcp_reset(tcb);
    connection_dead(tcb);
}

void connection_changed(struct whit_tcb *tcb)
{
    if (WHIT_HAS_LOG)
        log_why(tcb, WHIT_HAS_STORED && content_is_stored(tcb) ? WHY_REWRITTEN : WHY_CHANGED, WHIT_NAME_GET, 0, 0);
    connection_kill(tcb, WHIT_COUNT_CHANGED);
}

void connection_due(struct whit_tcb *tcb)
{
    if (WHIT_HAS_BODY && body_due(tcb))
        return;
    rx_forget(tcb);    // a segment that is half in was parsed for the state that ends here
    if (WHIT_HAS_STORED && tcb->state == TCB_RESPONSE && tcb->response.kind == KIND_GONE) {
        connection_changed(tcb);
        return;
    }
    if (tcb->state == TCB_RESPONSE) {
        if (WHIT_HAS_THREADS && response_waits(tcb)) {
            tcb->response.mark = (uint16_t)(tcb->response.mark + (tcb->response.mark != UINT16_MAX));    // of nothing in flight: polls
            table_ready(tcb);    // its generator is asked again
            table_arm(tcb, THREAD_POLL);
        } else {
            retransmit_due(tcb);
        }
        return;
    }
    bool waits = tcb->state == TCB_WAIT || (WHIT_HAS_BODY && http_starved(tcb));
    if (WHIT_HAS_LOG) {
        enum log_why why = waits ? WHY_ROOM : WHIT_HAS_BODY && body_pending(tcb) ? WHY_BODY_TIMEOUT : WHY_TIMEOUT;
        log_why(tcb, why, WHIT_NAME_NONE, WHIT_REQUEST_TIMEOUT_S, 0);
    }
    http_refuse(tcb, waits ? HTTP_503 : HTTP_408);
    table_arm(tcb, RTO_INITIAL);
}

bool connection_ends(const struct whit_tcb *tcb)
{
    return tcb->close || (tcb->peer_fin && !input_waits(tcb) && !(WHIT_HAS_BODY && body_pending(tcb)));
}

// Those that wait for room try again: what was acknowledged may have made it.
void connection_wake(bool between_frames)
{
    if (!WHIT_HAS_GENERATORS || !whit.waiting)
        return;
    whit.waiting = false;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        struct whit_tcb *tcb = &whit_slots[i];
        if (tcb->state == TCB_WAIT)
            http_answer(tcb);    // says so when it waits on
        else if (WHIT_HAS_BODY)
            request_again(tcb, between_frames);
        if (WHIT_HAS_BODY)
            body_wake(tcb);
    }
}

void connection_finished(struct whit_tcb *tcb)
{
    if (WHIT_HAS_BODY && body_pending(tcb)) {
        request_body(tcb);
        return;
    }
    response_forget(tcb);
    if (KEEPS_INPUT && !connection_ends(tcb) && input_waits(tcb)) {
        connection_request(tcb);
        table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
        request_pipelined(tcb);
    } else {
        if (tcb->ack_now)    // its slot will not be there to send it
            tcp_answer(tcb->snd_una, tcb->rcv_nxt, TCP_ACK);
        // Behind our FIN, the peer's is still to come, or may come again.
        tag_put(tcb, tcb->rcv_nxt - tcb->peer_fin, tcb->snd_una, connection_ends(tcb) ? TAG_CLOSED : TAG_IDLE);
        release(tcb);
    }
}
