// SPDX-License-Identifier: MIT
// Takes a segment's part of a request into its slot: the parser's state, claims of the shared buffer, the peer's FIN.
#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/port.h"

#define MAKES_ROOM (WHIT_HAS_BODY || WHIT_KEEPS_FRAMES)    // evicts a stalled slot for octets without room

// A request that is not complete when the peer's FIN comes will never be (RFC 9112 section 8).
static void cut_off(struct whit_tcb *tcb)
{
    if (tcb->state == TCB_REQUEST && tcb->peer_fin && !(WHIT_HAS_BODY && body_whole(tcb)) &&
        !(is_tls(tcb) && sealed_cut_off(tcb))) {
        if (WHIT_HAS_LOG)
            log_why(tcb, WHY_PARTIAL);
        http_refuse(tcb, HTTP_400);
    }
}

static inline void takes(struct whit_tcb *tcb, uint16_t len)
{
    octets_received(tcb, len);
    if (WHIT_HOLDS_FRAMES)
        promised_taken(tcb, len);
}

// The FIN of the current segment, when all data before it were taken.
__attribute__((noinline)) static void take_fin(struct whit_tcb *tcb)
{
    const struct whit_rx *rx = &whit.rx;
    if ((seg_flags() & TCP_FIN) == 0 || tcb->peer_fin || tcb->rcv_nxt != seg_seq() + rx->payload_len)
        return;
    takes(tcb, 1);
    tcb->peer_fin = 1;
    owe_ack(tcb);
}

static void keep_reserved(struct whit_tcb *tcb, const struct whit_tcb *pending)
{
    struct whit_rx *rx = &whit.rx;
    if (WHIT_HAS_ARGUMENTS && rx->arguments_reserved) {
        const struct whit_generator *generator = whit_flash_ptr(&whit_resources[pending->request.resource].generator);
        reservation_keeps_arguments(rx, tcb, whit_flash_u8(&generator->args_len));
    }
    if (WHIT_HAS_BODY && rx->body_reserved)
        reservation_keeps_body(rx, tcb, body_block_len(body_generator(pending)));
    if (is_tls(tcb) && rx->queued_len != 0) {
        buffer_append(tcb, BLOCK_SEALED, rx->queued_len);
        if (WHIT_HAS_BODY)
            sealed_took(tcb);
    } else if (rx->queued_len != 0 && (WHIT_HAS_BODY || REDIRECTS)) {
        buffer_append(tcb, BLOCK_INPUT, rx->queued_len);
    } else if (KEEPS_INPUT && rx->queued_len != 0) {
        buffer_keep(tcb, BLOCK_INPUT, rx->queued_len);
    }
    // otherwise the driver has the rest
    if (WHIT_HAS_BODY && rx->truncated && !(WHIT_KEEPS_FRAMES && rx->accepted_len != 0))
        body_refused(tcb);
    reservation_over(rx);
}

// Makes the parser's state in rx.pending the request of the slot; a complete or refused request is answered.
static void settle(struct whit_tcb *tcb)
{
    struct whit_rx *rx = &whit.rx;
    struct whit_tcb *pending = &rx->pending;
    keep_reserved(tcb, pending);
    if (WHIT_HAS_LOG)
        log_keep(tcb);
    if (tcb->request.step != STEP_BODY) {    // it may have continued since then
        request_copy(tcb, pending);
    }
    if (WHIT_HAS_BODY && tcb->request.step == STEP_BODY) {
        body_run(tcb);
    } else if (http_refused(pending)) {
        http_refuse(tcb, pending->request.status);
    } else if (http_complete(pending) && !(WHIT_HTTPS_EARLY && sealed_defers(tcb))) {
        http_answer(tcb);
    }
}

// Takes the window of a peer. A peer that acknowledges every second segment lets a lone one wait. If its window has no
// room for two, a segment is half of it from now on, as long as the connection lasts. Under TLS the segments stay as
// they are, because records have their length.
static void take_window(struct whit_tcb *tcb)
{
    uint16_t wnd = seg_wnd();
    if (!is_tls(tcb) && wnd < 2u * tcb_mss(tcb) && wnd >= 2 * MSS_HALVED_MIN)
        tcb_mss_halves(tcb, wnd);
    if (tcb->state == TCB_RESPONSE)
        window_update(tcb, wnd);
    else
        window_seems(tcb, wnd < tcb_mss(tcb));
#if WHIT_HTTPS_EARLY
    if (is_tls(tcb))
        sealed_of(tcb)->window = seg_wnd();    // the answer to early data is begun by no segment
#endif
}

void request_commit(struct whit_tcb *tcb)
{
    takes(tcb, whit.rx.accepted_len);
    if (whit.rx.truncated)
        frame_waits(whit.rx.accepted_len != 0 ? WHIT_PART : WHIT_WAITS);
    if (is_tls(tcb)) {
        sealed_open(tcb);    // only here: later octets came in another segment
        keep_reserved(tcb, &whit.rx.pending);
        sealed_input(tcb);
    } else {
        settle(tcb);
    }
    // otherwise it was acknowledged before
    if (!WHIT_TLS || !MAKES_ROOM || !frame_repeated() || !whit.rx.truncated || whit.rx.accepted_len != 0)
        owe_ack(tcb);    // the response's first segment brings it
    take_fin(tcb);
    cut_off(tcb);
    take_window(tcb);
    if (is_tls(tcb))
        sealed_rest(tcb);
    if (is_tls(tcb) && whit.rx.truncated && !sealed_make_room(tcb) && MAKES_ROOM)
        connection_make_room();
}

// Continues with the stored input.
void request_kept(struct whit_tcb *tcb)
{
    struct whit_rx *rx = &whit.rx;
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len);
    rx->pending = *tcb;
    rx_belongs_to(rx, tcb);
    if (WHIT_HAS_LOG)
        log_load(tcb);
    rx->queued_len = 0;
    reservation_over(rx);
    reservation_new(rx);
    uint16_t parsed = http_parse(&rx->pending, octets, len);
    if (!WHIT_HAS_BODY && http_starved(&rx->pending)) {
        if (WHIT_HAS_LOG) {
            log_keep(tcb);
            log_why(tcb, WHY_ROOM);
        }
        http_refuse(tcb, HTTP_503);
        return;
    }
    if (http_starved(&rx->pending)) {
        reservation_over(rx);
        if (is_tls(tcb) && request_begun(tcb)) {    // its beginning was in another record
            http_refuse(tcb, HTTP_503);
            return;
        }
        request_starve(tcb);    // from its beginning, when there is room
        whit.waiting = true;
        if (SEALED_STARVES && is_tls(tcb))
            connection_make_room();
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
    request_kept(tcb);
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
    request_read_again(tcb);
    if (is_tls(tcb))
        sealed_input(tcb);
    else
        request_kept(tcb);
}

void request_body(struct whit_tcb *tcb)
{
    body_resume(tcb);
    cut_off(tcb);
    take_window(tcb);
}

// A request that waited for the client's Finished.
void request_late(struct whit_tcb *tcb)
{
    if (WHIT_HAS_BODY && tcb->request.step == STEP_BODY)
        body_run(tcb);
    else
        http_answer(tcb);
}

// Keeps the next request of a connection that answers; it waits.
void request_queue(struct whit_tcb *tcb)
{
    keep_reserved(tcb, &whit.rx.pending);
    takes(tcb, whit.rx.accepted_len);
    if (whit.rx.truncated)
        frame_waits(whit.rx.accepted_len != 0 ? WHIT_PART : WHIT_WAITS);
    if (whit.rx.accepted_len != 0 || !whit.rx.truncated)
        owe_ack(tcb);
    take_fin(tcb);    // it cuts nothing off: the answered request came whole
}
