// SPDX-License-Identifier: MIT
// What comes in under TLS. Segments are stored until their checksum holds. Then the records are opened, in place and as far as they
// go: what a record says stands at the beginning of BLOCK_SEALED until its tag is verified, and nobody reads it before. Then it
// becomes BLOCK_INPUT, and is read as what waits there on any connection. While a response is sent, records wait.
#include <stddef.h>
#include <string.h>

#include "connection.h"
#include "segment_out.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/checksum.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../body/body.h"
#include "../content/content.h"
#include "../content/sealed.h"
#include "../http/http.h"
#include "../link/link.h"
#include "../link/rx.h"
#include "../link/segment.h"
#include "whit/crypto.h"
#include "whit/driver.h"
#include "whit/port.h"

#define TIMEOUT_TLS TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000))
#define HELD_MAX (INPUT_LEN - sizeof(struct sealed) - 64)    // octets of a record that may wait for its tag
#define CUT_LEN (offsetof(struct sealed, tls) + offsetof(struct tls, hello))    // of struct sealed, after the handshake

_Static_assert(sizeof(struct whit_aead) >= sizeof(struct whit_tcb), "a slot finds room there");
_Static_assert(!WHIT_TLS || INPUT_LEN > sizeof(struct sealed) + 256, "WHIT_TLS_BUFFER: a handshake and a segment find room");

static bool sealed_reserved;    // by the frame at hand: its reservation begins with BLOCK_TLS

// ------------------------------------------------------------------------------------------------ idle ones

// What a tag does not know of an idle connection. It is of a tag as long as that one remembers the same connection.
#define IDLE_CNT (WHIT_HTTPS_IDLE != 0 ? WHIT_HTTPS_IDLE : 1)    // an image without them does not refer to it
static struct sealed_idle {
    struct tls_keys keys;
    uint32_t mac;          // of the tag
    uint32_t tag;          // its index
    uint16_t record_len;
    bool has_limit;
} idle[IDLE_CNT];

static bool is_idle_of(const struct sealed_idle *one, const struct whit_tag *tag)
{
    return &whit_tags[one->tag] == tag && one->mac == tag->mac && tag->age != 0 && !tag->closing;
}

static struct sealed_idle *idle_of(const struct whit_tag *tag)
{
    for (struct sealed_idle *one = idle; WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (is_idle_of(one, tag))
            return one;
    return NULL;
}

static struct sealed_idle *free_idle(void)
{
    for (struct sealed_idle *one = idle; HAS_TAGS && WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (!is_idle_of(one, &whit_tags[one->tag]))
            return one;
    return NULL;
}

// Nothing has come, and nothing is to be sent.
bool sealed_rests(const struct whit_tcb *tcb)
{
    const struct sealed *s = sealed_of(tcb);
    const struct tls *tls = &s->tls;
    return tcb->state == TCB_REQUEST && tls->phase == TLS_OPEN && tls->out == TLS_NOTHING && tls->in.header_len == 0 &&
           tls->message_len == 0 && !tcb->peer_fin && !input_waits(tcb) && !request_begun(tcb);
}

void sealed_rest(struct whit_tcb *tcb)
{
    if (!sealed_rests(tcb))
        return;
    struct sealed *s = sealed_of(tcb);
    struct sealed_idle *one = free_idle();
    if (one == NULL)    // it stays in its slot, until somebody wants that
        return;
    if (tcb->ack_now)    // its slot will not be there to send it
        tcp_answer(tcb->snd_una, tcb->rcv_nxt, TCP_ACK);
    const struct whit_tag *tag = tag_put(tcb, tcb->rcv_nxt, tcb->snd_una, TAG_IDLE);
    *one = (struct sealed_idle){s->tls.keys, tag->mac, (uint32_t)(tag - whit_tags), s->tls.record_len, s->tls.has_limit};
    connection_release(tcb);
}

// Nobody waits for the acknowledgment, as the slot is wanted now. The client comes back with its ticket.
void sealed_dismiss(struct whit_tcb *tcb)
{
    const uint8_t *octets;
    uint16_t len = sealed_last(tcb, &octets);
    count(WHIT_COUNT_SLOT_EVICTED);
    bool begun = segment_begin(tcb, tcb->snd_una, TCP_ACK | TCP_PSH | TCP_FIN, len, checksum_octets(0, octets, len, false));
    if (begun) {
        whit_driver_put(octets, len, WHIT_IN_BUFFER);
        link_out_end();
    }
    if (HAS_TAGS)
        tag_put(tcb, tcb->rcv_nxt, tcb->snd_una + (begun ? len + 1u : 0), TAG_CLOSED);
    connection_release(tcb);
}

// ------------------------------------------------------------------------------------------------ its block

void sealed_reserve(void)
{
    struct whit_rx *rx = &whit.rx;
    bool is_new = rx->origin == ORIGIN_COOKIE;
    sealed_reserved = false;
    if (!is_tls(&rx->pending) || rx->payload_len == 0 || (!is_new && rx->origin != ORIGIN_TAG))
        return;
    if (!is_new && idle_of(rx->tag) == NULL) {
        rx->origin = ORIGIN_WRONG_SEQ;    // its keys are not known any more
        return;
    }
    sealed_reserved = buffer_reserve_block(is_new ? sizeof(struct sealed) : CUT_LEN);
    if (!sealed_reserved)
        rx->pending.request.step = STEP_STARVED;
}

void sealed_open(struct whit_tcb *tcb)
{
    struct sealed_idle *one = whit.rx.origin == ORIGIN_TAG ? idle_of(whit.rx.tag) : NULL;
    if (!sealed_reserved)
        return;
    sealed_reserved = false;
    buffer_keep(tcb, BLOCK_TLS, one == NULL ? sizeof(struct sealed) : CUT_LEN);
    struct sealed *s = sealed_of(tcb);
    memset(s, 0, one == NULL ? sizeof *s : CUT_LEN);
    if (one == NULL) {
        tls_open(&s->tls, sealed_record_len(tcb));
        return;
    }
    s->tls.keys = one->keys;
    s->tls.record_len = one->record_len;
    s->tls.has_limit = one->has_limit;
    s->tls.phase = TLS_OPEN;
    s->tls.is_cut = true;
    whit_wipe(one, sizeof *one);
    whit.rx.tag->age = 0;
}

// ------------------------------------------------------------------------------------------------ records

// What a record says, before its tag: octets of `to`, of which `len` are there. It has fewer than were taken.
static uint16_t put_content(uint8_t *to, uint16_t len, const struct tls_got *got)
{
    memcpy(to + len, got->text, got->zeros_at);
    len = (uint16_t)(len + got->zeros_at);
    memset(to + len, 0, got->zeros);
    len = (uint16_t)(len + got->zeros);
    memcpy(to + len, got->text + got->zeros_at, (size_t)(got->len - got->zeros_at));
    return (uint16_t)(len + got->len - got->zeros_at);
}

// Octets [from, to) of BLOCK_SEALED were read.
static void drop_sealed(const struct whit_tcb *tcb, uint16_t from, uint16_t to)
{
    uint16_t len;
    uint8_t *octets = buffer_find(tcb, BLOCK_SEALED, &len);
    memmove(octets + from, octets + to, (size_t)(len - to));
    len = (uint16_t)(len - (to - from));
    if (len == 0)
        buffer_free(tcb, BLOCK_SEALED);
    else
        buffer_cut(tcb, BLOCK_SEALED, len);
}

// Octets of the content that were read and not told yet, as they may be padding: they need a place when they are.
static uint16_t untold(const struct sealed *s)
{
    const struct tls_partial *in = &s->tls.in;
    bool begun = !s->too_long && in->header_len == TLS_HEADER && in->left != 0 && in->left < load16_be(in->header + 3);
    return begun ? (uint16_t)(in->has_held + in->zeros) : 0;
}

// Reads up to the end of a record, or as far as there is anything. True: its content is verified.
static bool read_record(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    struct tls_got got;
    uint16_t len, at = s->held, from = (uint16_t)(at + untold(s));
    uint8_t *octets = buffer_find(tcb, BLOCK_SEALED, &len);
    if (octets == NULL)
        return false;
    do {
        from = (uint16_t)(from + tls_in(&s->tls, octets + from, (uint16_t)(len - from), &got));
        if (got.event == TLS_TEXT && s->tls.in.left + untold(s) > HELD_MAX - at)
            s->too_long = true;
        if (got.event == TLS_FORGET)
            s->too_long = false;
        if (got.event == TLS_FORGET || s->too_long)
            at = 0;
        else if (got.event == TLS_TEXT)
            at = put_content(octets, at, &got);
    } while (got.event == TLS_TEXT || got.event == TLS_FORGET);
    s->held = at;
    drop_sealed(tcb, (uint16_t)(at + untold(s)), from);
    return got.event == TLS_RECORD;
}

// True: something was verified, which is BLOCK_INPUT now.
static bool next_input(struct whit_tcb *tcb)
{
    while (read_record(tcb)) {
        struct sealed *s = sealed_of(tcb);
        uint16_t len = s->held;
        bool refused = s->too_long || (len != 0 && !buffer_move(tcb, len));
        s = sealed_of(tcb);
        s->held = 0;
        s->too_long = false;
        if (refused)
            http_refuse(tcb, HTTP_413);
        else if (len != 0)
            return true;
        if (refused)
            return false;
    }
    return false;
}

// What was verified is read.
static void read_input(struct whit_tcb *tcb)
{
    uint16_t len;
    if (buffer_find(tcb, BLOCK_INPUT, &len) == NULL)
        return;
    if (WHIT_HAS_BODY && tcb->request.step == STEP_BODY)
        body_run(tcb);
    else
        request_kept(tcb);
}

void sealed_input(struct whit_tcb *tcb)
{
    whit.rx.reserved_len = 0;
    if (tcb->state == TCB_REQUEST && !http_starved(tcb))
        read_input(tcb);
    while (tcb->state == TCB_REQUEST && !http_starved(tcb) && next_input(tcb))
        read_input(tcb);
    struct sealed *s = sealed_of(tcb);
    if (tcb->state != TCB_REQUEST)
        return;
    if (s->tls.is_cut) {
        buffer_cut(tcb, BLOCK_TLS, CUT_LEN);
        s = sealed_of(tcb);
    }
    if (s->tls.phase == TLS_HEARD) {
        table_ready(tcb);
    } else if (s->tls.out != TLS_NOTHING || s->tls.phase == TLS_CLOSED) {
        memcpy(&s->tls.in.aead, tcb, sizeof *tcb);    // the request that a KeyUpdate came amid; no record is half in
        sealed_begin_own(tcb);
    }
}

// ------------------------------------------------------------------------------------------------ its turns

// The computation takes long, and anybody may ask for it. It gets half of the processor's time: after each, as much is for others.
#define PAUSE_MAX 20000u    // ms
static uint32_t next_answer_ms;

void sealed_answer(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    if (tcb->state != TCB_REQUEST || s->tls.phase != TLS_HEARD)
        return;
    uint32_t pause_ms = next_answer_ms - whit.now_ms;
    if (pause_ms != 0 && pause_ms <= PAUSE_MAX) {
        table_arm(tcb, TICKS(pause_ms + TICK_MS));
        return;
    }
    rx_forget(tcb);
    uint32_t began_ms = whit_port_now_ms();
    tls_answer(&s->tls, whit.now_ms / 1000);
    uint32_t took_ms = whit_port_now_ms() - began_ms;
    next_answer_ms = whit.now_ms + 2 * (took_ms < PAUSE_MAX / 2 ? took_ms : PAUSE_MAX / 2);
    sealed_begin_own(tcb);
}

void sealed_wipe(const struct whit_tcb *tcb)
{
    uint16_t len;
    uint8_t *octets = buffer_find(tcb, BLOCK_TLS, &len);
    if (octets != NULL)
        whit_wipe(octets, len);
}

bool sealed_due(struct whit_tcb *tcb)
{
    if (tcb->state != TCB_REQUEST || sealed_of(tcb)->tls.phase != TLS_HEARD)
        return sealed_cut_off(tcb);
    table_ready(tcb);
    table_arm(tcb, TIMEOUT_TLS);
    return true;
}

bool sealed_finished(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    bool own = sealed_own(tcb), update = own && s->tls.out == TLS_UPDATE;
    sealed_over(tcb);
    if (connection_ends(tcb) && !update) {
        if (own)
            response_forget(tcb);    // of a request that an alert came amid
        return false;
    }
    if (WHIT_HAS_BODY && !own && body_pending(tcb)) {
        request_body(tcb);
    } else if (update) {
        struct whit_tcb before;
        memcpy(&before, &s->tls.in.aead, sizeof before);
        tcb->value = before.value;
        tcb->request = before.request;
        tcb->close = before.close;
        tcb->state = TCB_REQUEST;
    } else {
        response_forget(tcb);
        request_begin(tcb);
    }
    table_arm(tcb, TIMEOUT_TLS);
    if (tcb->state == TCB_REQUEST)
        sealed_input(tcb);
    sealed_rest(tcb);
    return true;
}

bool sealed_cut_off(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    bool begun = request_begun(tcb) || s->held != 0;
    if (s->tls.phase == TLS_OPEN && begun)
        return false;
    if (s->tls.phase == TLS_OPEN)
        tls_close(&s->tls, TLS_CLOSE_NOTIFY);
    else
        s->tls.phase = TLS_CLOSED;
    sealed_begin_own(tcb);
    table_arm(tcb, RTO_INITIAL);
    return true;
}
