// SPDX-License-Identifier: MIT
// Segments of a connection with a slot (RFC 9293 section 3.10.7.4, RFC 5961).
#include "http.h"

static void owe_ack(struct whit_tcb *tcb)
{
    tcb->ack_now = 1;
    table_ready(tcb);
}

static void challenge(struct whit_tcb *tcb)
{
    if (challenge_allowed())
        owe_ack(tcb);
}

// Out of place: says where we are. A segment without data is answered no oftener than a challenge allows, lest two ends
// that find each other's acknowledgments wrong answer for ever.
static void say_where(struct whit_tcb *tcb, bool pure)
{
    if (pure)
        challenge(tcb);
    else
        owe_ack(tcb);
}

// Octets before it are missing: a duplicate acknowledgment, at once (RFC 5681 section 4.2). A driver that keeps frames keeps it
// until they are there.
static void ahead_of_gap(struct whit_tcb *tcb)
{
    if (!frame_repeated())
        owe_ack(tcb);
    whit.rx.again = WHIT_KEEPS_FRAMES;
}

// A request that is not complete when the peer's FIN comes will never be (RFC 9112 section 8).
static void cut_off(struct whit_tcb *tcb)
{
    if (tcb->state == TCB_REQUEST && tcb->peer_fin && !(WHIT_HAS_BODY && body_whole(tcb))) {
        if (WHIT_HAS_LOG)
            log_why(tcb, WHY_PARTIAL, WHIT_NAME_NONE, 0, 0);
        http_refuse(tcb, HTTP_400);
    }
}

// The FIN of the segment at hand, when all data before it were taken.
static void take_fin(struct whit_tcb *tcb)
{
    const struct whit_rx *rx = &whit.rx;
    if ((seg_flags() & TCP_FIN) == 0 || tcb->peer_fin || tcb->rcv_nxt != seg_seq() + rx->payload_len)
        return;
    tcb->rcv_nxt++;
    tcb->peer_fin = 1;
    owe_ack(tcb);
    cut_off(tcb);
}

static void keep_claimed(struct whit_tcb *tcb, const struct whit_tcb *work)
{
    struct whit_rx *rx = &whit.rx;
    if (WHIT_HAS_ARGUMENTS && rx->arguments_claimed) {
        const struct whit_generator *generator = whit_flash_ptr(&whit_resources[work->request.resource].generator);
        buffer_keep(tcb, BLOCK_ARGUMENTS, whit_flash_u8(&generator->args_len));
        rx->arguments_claimed = false;
    }
    if (WHIT_HAS_BODY && rx->body_claimed) {
        buffer_keep(tcb, BLOCK_BODY, body_block_len(work));
        rx->body_claimed = false;
    }
    if (rx->stored != 0 && WHIT_HAS_BODY)
        buffer_append(tcb, BLOCK_INPUT, rx->stored);
    else if (KEEPS_INPUT && rx->stored != 0)
        buffer_keep(tcb, BLOCK_INPUT, rx->stored);
    if (WHIT_HAS_BODY && rx->refused_rest)
        body_refused(tcb);
    rx->claim = 0;
}

// What the parser left in rx.work becomes the request of the slot; a complete or refused one is answered.
static void settle(struct whit_tcb *tcb)
{
    struct whit_rx *rx = &whit.rx;
    struct whit_tcb *work = &rx->work;
    keep_claimed(tcb, work);
    if (WHIT_HAS_LOG)
        log_keep(tcb);
    if (tcb->request.step != STEP_BODY) {    // which may have gone on meanwhile
        tcb->value = work->value;
        tcb->request = work->request;
    }
    if (WHIT_HAS_BODY && tcb->request.step == STEP_BODY) {
        body_run(tcb);
    } else if (http_refused(work)) {
        http_refuse(tcb, work->request.aux);
    } else if (http_complete(work)) {
        http_answer(tcb);
    }
}

static void take_window(struct whit_tcb *tcb)
{
    if (tcb->state == TCB_RESPONSE)
        tcb->response.wnd = window_code(seg_wnd());
    else
        tcb->close = seg_wnd() < tcb->mss4 * 4u;
}

void request_commit(struct whit_tcb *tcb)
{
    tcb->rcv_nxt += whit.rx.taken;
    whit.rx.again = whit.rx.refused_rest;
    settle(tcb);
    owe_ack(tcb);    // the response's first segment brings it
    take_fin(tcb);
    take_window(tcb);
}

// Reads on in what is kept of the input.
static void read_kept(struct whit_tcb *tcb)
{
    struct whit_rx *rx = &whit.rx;
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len);
    rx->work = *tcb;
    rx->slot = tcb;
    if (WHIT_HAS_LOG)
        log_load(tcb);
    rx->stored = 0;
    rx->claim = 0;
    rx->arguments_claimed = false;
    rx->body_claimed = false;
    uint16_t parsed = http_parse(&rx->work, octets, len);
    if (!WHIT_HAS_BODY && http_starved(&rx->work)) {
        if (WHIT_HAS_LOG)
            log_why(tcb, WHY_ROOM, WHIT_NAME_NONE, 0, 0);
        http_refuse(tcb, HTTP_503);
        return;
    }
    if (http_starved(&rx->work)) {
        rx->claim = 0;
        tcb->request.step = STEP_STARVED;    // from its beginning, when there is room
        whit.waiting = true;
        return;
    }
    if (parsed == len)
        buffer_free(tcb, BLOCK_INPUT);
    else
        buffer_trim(tcb, BLOCK_INPUT, parsed);
    settle(tcb);
    cut_off(tcb);
}

void request_pipelined(struct whit_tcb *tcb)
{
    read_kept(tcb);
    take_window(tcb);
}

void request_again(struct whit_tcb *tcb, bool between_frames)
{
    if (tcb->state != TCB_REQUEST || tcb->request.step != STEP_STARVED)
        return;
    if (!between_frames) {
        whit.waiting = true;
        return;
    }
    tcb->request.step = STEP_READ;
    read_kept(tcb);
}

void request_body(struct whit_tcb *tcb)
{
    body_resume(tcb);
    cut_off(tcb);
    take_window(tcb);
}

// The response is acknowledged by the segment that brings the next request.
static void next_request(struct whit_tcb *tcb)
{
    response_forget(tcb);
    connection_request(tcb);
    table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
    request_commit(tcb);
}

static void data_behind_request(struct whit_tcb *tcb)
{
    keep_claimed(tcb, &whit.rx.work);
    tcb->rcv_nxt += whit.rx.taken;
    whit.rx.again = whit.rx.refused_rest;
    if (whit.rx.taken != 0 || !whit.rx.refused_rest)
        owe_ack(tcb);
    take_fin(tcb);
}

static void acknowledged(struct whit_tcb *tcb, bool pure)
{
    bool ahead = seq_lt(tcb->rcv_nxt, seg_seq()), follows = whit.rx.follows && !ahead;
    if (!response_ack_acceptable(tcb, seg_ack())) {
        count(WHIT_DROP_TCP_ACK);
        say_where(tcb, pure);
        return;
    }
    if (!pure && ahead)
        ahead_of_gap(tcb);
    else if (!pure && !follows)
        data_behind_request(tcb);
    if (frame_repeated() || !response_acknowledge(tcb, seg_ack(), seg_wnd(), pure))
        return;
    if (!follows || http_starved(&whit.rx.work)) {
        whit.rx.again = follows;    // the response made the room that the next request did not find
        connection_finished(tcb);
    } else {
        next_request(tcb);
    }
}

static void request_data(struct whit_tcb *tcb)
{
    if (tcb->snd_una - seg_ack() > 0xffff) {    // nothing is in flight; older ones are RFC 9293's, or a frame's that is offered again
        count(WHIT_DROP_TCP_ACK);
        challenge(tcb);
    } else if (seq_lt(tcb->rcv_nxt, seg_seq())) {
        count(WHIT_DROP_TCP_SEQUENCE);
        ahead_of_gap(tcb);
    } else if (tcb->state == TCB_WAIT) {
        data_behind_request(tcb);
    } else if (http_starved(&whit.rx.work)) {
        connection_starved();
    } else {
        request_commit(tcb);
    }
}

// RFC 9293 section 3.10.7.4, first check: some of it lies in the receive window, or its edge does.
static bool acceptable(const struct whit_tcb *tcb)
{
    uint32_t len = whit.rx.payload_len + ((seg_flags() & TCP_FIN) != 0);
    int32_t old = (int32_t)(tcb->rcv_nxt - seg_seq());
    return len == 0 ? old <= 0 && old > -(int32_t)WHIT_RCV_WND : old < (int32_t)len && old > -(int32_t)WHIT_RCV_WND;
}

void slot_commit(void)
{
    struct whit_tcb *tcb = whit.rx.slot;
    uint8_t flags = seg_flags();
    bool pure = whit.rx.payload_len == 0 && (flags & TCP_FIN) == 0;
    if ((flags & TCP_RST) != 0) {
        if (seg_seq() == tcb->rcv_nxt)
            connection_dead(tcb);
        else if (seg_seq() - tcb->rcv_nxt < WHIT_RCV_WND)
            challenge(tcb);
    } else if ((flags & TCP_SYN) != 0) {
        challenge(tcb);
    } else if ((flags & TCP_ACK) == 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (!acceptable(tcb)) {
        count(WHIT_DROP_TCP_SEQUENCE);
        if (!frame_repeated())
            say_where(tcb, pure);
    } else {
        arp_learn(tcb->remote_addr);    // its card may be another one now
        if (tcb->state == TCB_RESPONSE)
            acknowledged(tcb, pure);
        else if (!pure)
            request_data(tcb);
    }
}
