// SPDX-License-Identifier: MIT
// The life of a body: octets that were committed are read, handlers run, and after the last of them the request is
// answered.
#include <string.h>

#include "http.h"
#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../response/response.h"

#define TIMEOUT TICKS(WHIT_REQUEST_TIMEOUT_S *UINT32_C(1000))
#define OCTET_TIME TICKS(8)    // for an octet that came, and again when it was read
// Least window worth announcing. A peer sends nothing into a window of less than half of the largest one announced,
// until its timer expires (RFC 9293 section 3.8.6.2.1). Linux takes the half of windows above 536 only.
#define WINDOW_USEFUL (WHIT_RCV_WND > MSS_DEFAULT ? WHIT_RCV_WND / 2 : WHIT_RCV_WND)

static bool reading(const struct whit_tcb *tcb)
{
    return tcb->state == TCB_REQUEST && tcb->request.step == STEP_BODY;
}

bool body_whole(const struct whit_tcb *tcb)
{
    return reading(tcb) && body_kept(tcb)->transfer == TRANSFER_DONE;
}

bool body_idle(const struct whit_tcb *tcb, uint16_t *ticks)
{
    if (!reading(tcb))
        return false;
    // it waits for us
    *ticks = HAS_PROOFS && body_proves(tcb) ? 0 : (uint16_t)(now_ticks() - body_kept(tcb)->progress);
    return true;
}

// ------------------------------------------------------------------------------------------------ the receive window

// Octets of input that find room. Under TLS: 0 as long as the current record does not find room as a whole.
static uint16_t room_of(const struct whit_tcb *tcb)
{
    return is_tls(tcb) && !sealed_finds_room(tcb) ? 0 : buffer_input_room();
}

// Computes the window's right edge. True if it is worth announcing: while a slow handler reads, steps are not small
// (RFC 9293 section 3.8.6.2.2).
static bool edge_moves(const struct whit_tcb *tcb, const struct body *b, uint32_t *edge)
{
    uint16_t room = room_of(tcb);
    if ((is_form(b) || is_tls(tcb)) && room < WINDOW_USEFUL)
        room = WINDOW_USEFUL;    // it is read as it arrives: octets without room are requested again at once
    if (room > WHIT_RCV_WND)
        room = WHIT_RCV_WND;
    uint32_t grain = b->slow ? (room + UINT32_C(0) + b->ready) / 2 : 1;
    if (grain > INPUT_SHARE)
        grain = INPUT_SHARE;
    *edge = tcb->rcv_nxt + room;
    return (int32_t)(*edge - b->edge) >= (int32_t)grain && *edge != b->edge;
}

uint16_t body_window(const struct whit_tcb *tcb)
{
    struct body *b = body_kept(tcb);
    uint32_t edge;
    if (b == NULL)
        return WHIT_RCV_WND;
    if (edge_moves(tcb, b, &edge))
        b->edge = edge;
    int32_t window = (int32_t)(b->edge - tcb->rcv_nxt);
    if (window < WINDOW_USEFUL || b->refused)
        whit.waiting = true;    // others may give room back
    return window > 0 ? (uint16_t)window : 0;
}

// Announces room. A peer whose octets were dropped would wait for its timer. The third repetition of an acknowledgment
// makes it send them at once (RFC 5681 section 3.2).
static bool tell(struct whit_tcb *tcb, struct body *b)
{
    uint32_t edge;
    uint16_t room = room_of(tcb);
    bool again = b->refused && room != 0 && (room >= b->ready || room >= INPUT_SHARE);
    if (again) {
        b->refused = false;
        b->repeats = 3;
    }
    if (!again && !edge_moves(tcb, b, &edge))
        return false;
    owe_ack(tcb);
    return true;
}

void body_wake(struct whit_tcb *tcb)
{
    if (reading(tcb) && !tell(tcb, body_kept(tcb)))
        whit.waiting = true;
}

void body_refused(const struct whit_tcb *tcb)
{
    if (body_pending(tcb))
        body_kept(tcb)->refused = true;
}

bool body_repeats(const struct whit_tcb *tcb)
{
    struct body *b = body_kept(tcb);
    if (b == NULL || b->repeats == 0)
        return false;
    b->repeats--;
    return true;
}

// ------------------------------------------------------------------------------------------------ reading

// Finds the request's blocks. Octets that are decoded and read stay so.
static void reader_find(struct reader *r)
{
    r->len = 0;
    r->body = body_kept(r->tcb);
    r->octets = buffer_find(r->tcb, BLOCK_INPUT, &r->len);
}

// True for a form. Without parts, all accepted bodies are forms.
static bool reads_form(const struct reader *r)
{
    return !WHIT_HAS_PARTS || is_form(r->body);
}

// True if "100 Continue" is due. It is a response of its own, followed by the body.
static bool invites(struct reader *r)
{
    struct body *b = r->body;
    bool asked = (b->flags & FLAG_EXPECT) != 0 && (b->flags & FLAG_1_0) == 0;
    b->flags &= (uint16_t)~FLAG_EXPECT;
    if (!asked || r->len != 0 || r->tcb->peer_fin || (b->flags & FLAG_BODY) == 0)
        return false;
    http_continue(r->tcb);
    return true;
}

// Begins to read a body. False: not now.
static bool begin_body(struct reader *r)
{
    struct body *b = r->body;
    b->flags = r->tcb->request.flags;
    b->resource = r->tcb->request.resource;
    b->progress = now_ticks();
    if ((WHIT_HTTPS_EARLY && sealed_defers(r->tcb)) || invites(r))
        return false;
    b->transfer = (b->flags & FLAG_CODING) != 0 ? TRANSFER_SIZE : TRANSFER_DATA;
    if (reads_form(r))
        form_begin(r);
    else
        parts_begin(r);
    return true;
}

// Drops octets from the beginning of the input, which moves blocks. An empty block is freed: after a block of input a
// request is looked for.
static void drop(const struct reader *r, uint16_t gone)
{
    if (gone == 0)
        return;
    if (gone == r->len)
        buffer_free(r->tcb, BLOCK_INPUT);
    else
        buffer_trim(r->tcb, BLOCK_INPUT, gone);
}

// Undoes the transfer coding of new octets. Returns their number.
static uint16_t decode(struct reader *r, uint8_t *status)
{
    uint16_t before = r->body->ready, gone = transfer_run(r->body, r->octets, r->len, status),
             come = (uint16_t)(r->body->ready - before + gone);
    drop(r, gone);
    if (gone != 0)
        reader_find(r);
    return come;
}

// Passes the decoded octets to the body's reader. *slow: a handler waits for something else, or a signature is being
// verified; *ended: it has seen the end of the body.
static void consume(struct reader *r, bool *slow, bool *ended)
{
    bool whole = r->body->transfer == TRANSFER_DONE;
    if (reads_form(r)) {
        form_run(r);
        *ended = whole;
        if (whole && r->tcb->request.step == STEP_BODY && !form_end(r) && HAS_PROOFS) {
            *ended = false;
            *slow = true;
            proof_awaited();
        }
    } else {
        *slow = parts_run(r);
        *ended = whole && parts_ended(r);
    }
    r->body->ready = (uint16_t)(r->body->ready - r->at);
}

static void finish(struct whit_tcb *tcb, uint16_t flags)
{
    rx_forget(tcb);
    tcb->request.flags = flags & (uint16_t)~FLAG_BODY;
    tcb->request.step = STEP_DONE;
    table_arm(tcb, TIMEOUT);    // waits for room
}

// Sets time and window for the next octets. octets: received octets, and octets that were read. Each octet gives a body
// some time: a client that sends slowly holds a slot no longer than others. A client that waits for a slow handler gets
// the full time again.
static void proceed(struct whit_tcb *tcb, struct body *b, uint32_t octets, bool slow)
{
    b->slow = slow;
    uint16_t waited = (uint16_t)(now_ticks() - b->progress);
    uint16_t given = octets * OCTET_TIME < waited && !(slow && octets != 0) ? (uint16_t)(octets * OCTET_TIME) : waited;
    b->progress = (uint16_t)(b->progress + given);
    waited = (uint16_t)(waited - given);
    uint16_t left = waited < TIMEOUT ? (uint16_t)(TIMEOUT - waited) : 0;
    table_arm(tcb, slow && left > SLOW_POLL ? SLOW_POLL : left);
    tell(tcb, b);
}

// Reads the decoded octets. Returns HTTP_200, or the status of the refusal.
static uint8_t read_ready(struct reader *r, bool *slow, bool *ended)
{
    const struct whit_tcb *tcb = r->tcb;
    uint8_t status = HTTP_200;
    consume(r, slow, ended);
    if (tcb->request.step == STEP_REFUSED)
        status = tcb->request.status;
    else if (WHIT_HAS_PARTS && !*ended && !*slow && reading(tcb) && r->body->transfer == TRANSFER_DONE)
        status = HTTP_400;    // it ended too early
    if (WHIT_HAS_LOG && status == HTTP_400) {
        enum log_why why =
            reads_form(r) && !(WHIT_HAS_FORM_PARTS && r->body->kind == BODY_FORM_PARTS) ? WHY_FORM : WHY_PART;
        log_why(tcb, tcb->request.step != STEP_REFUSED ? WHY_BODY_PARTIAL : why);
    }
    return status;
}

// Reads the received octets of a body. True: it was read whole, and its request is to be answered. It has a stack frame
// of its own, in which no handler of the response runs.
static __attribute__((noinline)) bool read_body(struct whit_tcb *tcb)
{
    struct reader r = {.tcb = tcb, .post = body_post(tcb)};
    uint8_t status;
    bool slow = false, ended = false;
    reader_find(&r);
    body_reader = &r;
    if (r.body->transfer == TRANSFER_NEW && !begin_body(&r))
        return false;
    uint16_t come = decode(&r, &status);
    if (status == HTTP_200)
        status = read_ready(&r, &slow, &ended);
    uint16_t flags = r.body->flags;
    drop(&r, r.at);
    if (status != HTTP_200) {
        if (WHIT_HAS_LOG)
            log_why_number(tcb, status == HTTP_413 ? WHY_BODY_MAX : WHY_CHUNK, WHIT_BODY_MAX);
        rx_forget(tcb);
        http_refuse(tcb, status);
        table_arm(tcb, RTO_INITIAL);
        return false;
    }
    if (ended)
        finish(tcb, flags);
    else
        proceed(tcb, body_kept(tcb), come + UINT32_C(0) + r.at, slow);
    return ended;
}

void body_run(struct whit_tcb *tcb)
{
    bool whole = read_body(tcb);
    body_reader = NULL;
    if (whole)
        http_answer(tcb);
}

void body_resume(struct whit_tcb *tcb)
{
    struct body *b = body_kept(tcb);
    if (WHIT_HAS_LOG)
        log_load(tcb);
    request_begin(tcb);
    if (WHIT_HAS_LOG)
        log_keep(tcb);    // it is the same request
    tcb->request.resource = b->resource & 0xfffu;
    tcb->request.method = WHIT_POST;
    tcb->request.flags = b->flags;
    tcb->request.step = STEP_BODY;
    body_run(tcb);
}

#if HAS_PROOFS
void body_slice(void)
{
    struct whit_tcb *judged = proof_slice();
    if (judged != NULL)
        body_run(judged);
}
#endif

bool body_due(struct whit_tcb *tcb)
{
    if (HAS_PROOFS && body_proves(tcb)) {
        body_kept(tcb)->progress = now_ticks();    // it has its turn
        table_arm(tcb, TIMEOUT);
        return true;
    }
    if (!reading(tcb) || (WHIT_HTTPS_EARLY && sealed_defers(tcb)) ||
        (uint16_t)(now_ticks() - body_kept(tcb)->progress) >= TIMEOUT)
        return false;
    body_run(tcb);
    return true;
}

// ------------------------------------------------------------------------------------------------ the transfer coding

// The transfer coding of a body (RFC 9112 sections 6, 7): a length, or chunks.

// An octet around chunks. A chunk that goes beyond the body's limit is refused.
static uint8_t frame_step(struct body *b, uint8_t c)
{
    uint8_t step = b->transfer, next;
    if (++b->line_len > (step < TRANSFER_TRAILER ? LINE_MAX : TRAILERS_MAX))
        return HTTP_400;
    next = chunked_step(step, c, &b->left);
    if (next == TRANSFER_WRONG)
        return HTTP_400;
    if (b->left > b->room)
        return HTTP_413;
    if (step == TRANSFER_SIZE_LF)
        b->room -= b->left;
    if (step == TRANSFER_SIZE_LF || step == TRANSFER_CHUNK_LF)
        b->line_len = 0;
    b->transfer = next;
    return HTTP_200;
}

uint16_t transfer_run(struct body *b, uint8_t *octets, uint16_t len, uint8_t *status)
{
    uint16_t from = b->ready, to = from;
    *status = HTTP_200;
    while (b->transfer != TRANSFER_DONE && *status == HTTP_200) {
        if (b->transfer > TRANSFER_CHUNK) {
            if (from == len)
                break;
            *status = frame_step(b, octets[from++]);
            continue;
        }
        uint16_t here = (uint16_t)(len - from);
        here = b->left < here ? (uint16_t)b->left : here;
        if (to != from)
            memmove(octets + to, octets + from, here);
        from = (uint16_t)(from + here);
        to = (uint16_t)(to + here);
        b->left -= here;
        if (b->left != 0)
            break;
        b->transfer = b->transfer == TRANSFER_DATA ? TRANSFER_DONE : TRANSFER_CHUNK_CR;
    }
    b->ready = to;
    if (to != from)
        memmove(octets + (from - to), octets, to);
    return (uint16_t)(from - to);
}

// ----------------------------------------------------------------------------------------------- signatures, in slices

// Signatures of complete messages are verified in slices, like handshakes: one message after the other, in the order of
// their slots. The state of a proof is in the message's own block, so a client that disconnects leaves nothing behind.
// body_head.c limits the number of messages of one host.

#if HAS_PROOFS
static struct {
    struct whit_tcb *at;    // the slot whose turn it is; NULL: no slot yet
    bool waits;             // there may be some
} proofs;

void proof_awaited(void)
{
    proofs.waits = true;
}

bool proofs_wait(void)
{
    return proofs.waits;
}

// The next slot that waits, from the one on that had its turn.
static struct whit_tcb *proof_next(void)
{
    struct whit_tcb *tcb = proofs.at != NULL ? proofs.at : whit_slots;
    for (uint16_t i = WHIT_CONNECTIONS; i != 0; i--) {
        if (body_proves(tcb))
            return tcb;
        if (++tcb == whit_slots + WHIT_CONNECTIONS)
            tcb = whit_slots;
    }
    return NULL;
}

struct whit_tcb *proof_slice(void)
{
    struct whit_tcb *tcb = proof_next();
    proofs.at = tcb;
    proofs.waits = tcb != NULL;
    return tcb != NULL && security_slice(security_kept(tcb)) ? tcb : NULL;
}
#endif
