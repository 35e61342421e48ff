// SPDX-License-Identifier: MIT
// What comes in under TLS. Segments are stored until their checksum holds. Then the records are opened, in place and as far as they
// go: what a record says stands at the beginning of BLOCK_SEALED until its tag is verified, and nobody reads it before. Then it
// becomes BLOCK_INPUT, and is read as what waits there on any connection. While a response is sent, records wait.
#include <stddef.h>
#include <string.h>

#include "connection.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/packed.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../body/body.h"
#include "../content/content.h"
#include "../content/sealed.h"
#include "../http/http.h"
#include "../link/rx.h"
#include "whit/port.h"

#define TIMEOUT_TLS TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000))
#define HELD_MAX (INPUT_LEN - sizeof(struct sealed) - 64)    // octets of a record that may wait for its tag

_Static_assert(sizeof(struct whit_aead) >= sizeof(struct whit_tcb), "a slot finds room there");
_Static_assert(sizeof((struct tls_flight *)0)->request >= sizeof(struct whit_tcb), "and there");
_Static_assert(!WHIT_HTTPS_EARLY || EARLY_MAX <= HELD_MAX, "early data finds room");
_Static_assert(!WHIT_TLS || INPUT_LEN > sizeof(struct sealed) + 256, "WHIT_TLS_BUFFER: a handshake and a segment find room");

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
    if (buffer_find(tcb, BLOCK_INPUT, &len) == NULL || (WHIT_HTTPS_EARLY && sealed_defers(tcb)))
        return;
    if (WHIT_HAS_BODY && tcb->request.step == STEP_BODY)
        body_run(tcb);
    else
        request_kept(tcb);
}

// Where the request is kept that TLS has something to send amid: a KeyUpdate's answer, when no record is half in; the flight, of early
// data that is not to be answered yet, or not whole.
static void *amid(struct sealed *s)
{
    return WHIT_HTTPS_EARLY && s->tls.out == TLS_FLIGHT ? (void *)s->tls.flight.request : &s->tls.in.aead;
}

// Its request is read, or its head, and has done nothing.
static bool is_deferred(const struct whit_tcb *tcb)
{
    return http_complete(tcb) || (WHIT_HAS_BODY && tcb->request.step == STEP_BODY && body_kept(tcb)->transfer == TRANSFER_NEW);
}

void sealed_input(struct whit_tcb *tcb)
{
    whit.rx.reserved_len = 0;
    if (sealed_rests(tcb))
        table_arm(tcb, TIMEOUT_TLS);    // of a request that begins; sealed_rest() when there is none
    if (tcb->state == TCB_REQUEST && !http_starved(tcb))
        read_input(tcb);
    while (tcb->state == TCB_REQUEST && !http_starved(tcb) && next_input(tcb))
        read_input(tcb);
    struct sealed *s = sealed_of(tcb);
    if (tcb->state != TCB_REQUEST)
        return;
    if (s->tls.is_cut) {
        buffer_cut(tcb, BLOCK_TLS, SEALED_CUT);
        s = sealed_of(tcb);
    }
    if (s->tls.phase == TLS_HEARD) {
        sealed_awaits_turn(tcb);
    } else if (s->tls.out != TLS_NOTHING || s->tls.phase == TLS_CLOSED) {
        if (sealed_flight(s) != 0)    // nothing of it has left: the client knows no key of ours
            s->tls.alert_is_plain = true;
        sealed_set_flight(s, 0);
        memcpy(amid(s), tcb, sizeof *tcb);
        sealed_begin_own(tcb);
    } else if (WHIT_HTTPS_EARLY && is_deferred(tcb) && !sealed_defers(tcb)) {
        request_late(tcb);
    }
}

#if WHIT_HTTPS_EARLY

void sealed_early(void)
{
    struct whit_tcb *tcb = sealed_turn_over();
    if (tcb == NULL)
        return;
    struct sealed *s = sealed_of(tcb);
    if (!tls_is_early(&s->tls)) {
        sealed_begin_own(tcb);
        return;
    }
    bool small = tcb->close;
    sealed_set_flight(s, tls_out_len(&s->tls));
    sealed_input(tcb);
    if (tcb->state == TCB_RESPONSE && !small)
        tcb->response.wnd = window_code(sealed_of(tcb)->window) & 0xfffu;
}

#endif

bool sealed_due(struct whit_tcb *tcb)
{
    if (tcb->state != TCB_REQUEST || sealed_of(tcb)->tls.phase != TLS_HEARD)
        return sealed_cut_off(tcb);
    table_arm(tcb, TIMEOUT_TLS);    // it has its turn
    return true;
}

bool sealed_finished(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    bool own = sealed_own(tcb), goes_on = own && (s->tls.out == TLS_UPDATE || (s->tls.out == TLS_FLIGHT && tls_is_early(&s->tls)));
    const void *kept = amid(s);
    sealed_over(tcb);
    if (connection_ends(tcb) && !goes_on) {
        if (own)
            response_forget(tcb);    // of a request that an alert came amid
        return false;
    }
    if (WHIT_HAS_BODY && !own && body_pending(tcb)) {
        request_body(tcb);
    } else if (goes_on) {
        struct whit_tcb before;
        memcpy(&before, kept, sizeof before);
        tcb->value = before.value;
        tcb->request = before.request;
        tcb->close = before.close;
        tcb->state = TCB_REQUEST;
        if (WHIT_HTTPS_EARLY && http_starved(tcb))
            tcb->request.step = STEP_READ;
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
