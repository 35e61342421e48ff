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
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../body/body.h"
#include "../content/content.h"
#include "../content/sealed.h"
#include "../http/http.h"
#include "../link/rx.h"

#define TIMEOUT_TLS TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000))
#define HELD_MAX (INPUT_LEN - sizeof(struct sealed) - 64)    // octets of a record that may wait for its tag
#define CUT_LEN (offsetof(struct sealed, tls) + offsetof(struct tls, hello))    // of struct sealed, after the handshake

_Static_assert(!WHIT_TLS || INPUT_LEN > sizeof(struct sealed) + 256, "WHIT_TLS_BUFFER: a handshake and a segment find room");

static bool sealed_reserved;    // by the frame at hand: its reservation begins with BLOCK_TLS

void sealed_reserve(void)
{
    struct whit_rx *rx = &whit.rx;
    sealed_reserved = false;
    if (!is_tls(&rx->pending) || rx->payload_len == 0 || (rx->origin != ORIGIN_COOKIE && rx->origin != ORIGIN_TAG))
        return;
    sealed_reserved = buffer_reserve_block(sizeof(struct sealed));
    if (!sealed_reserved)
        rx->pending.request.step = STEP_STARVED;
}

void sealed_open(struct whit_tcb *tcb)
{
    if (!sealed_reserved)
        return;
    sealed_reserved = false;
    buffer_keep(tcb, BLOCK_TLS, sizeof(struct sealed));
    struct sealed *s = sealed_of(tcb);
    memset(s, 0, sizeof *s);
    tls_open(&s->tls, sealed_record_len(tcb));
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

// Reads up to the end of a record, or as far as there is anything. True: its content is verified.
static bool read_record(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    struct tls_got got;
    uint16_t len, from = s->held, at = s->held;
    uint8_t *octets = buffer_find(tcb, BLOCK_SEALED, &len);
    if (octets == NULL)
        return false;
    do {
        from = (uint16_t)(from + tls_in(&s->tls, octets + from, (uint16_t)(len - from), &got));
        if (got.event == TLS_TEXT && s->tls.in.left > HELD_MAX - at)
            s->too_long = true;
        if (got.event == TLS_FORGET)
            s->too_long = false;
        if (got.event == TLS_FORGET || s->too_long)
            at = 0;
        else if (got.event == TLS_TEXT)
            at = put_content(octets, at, &got);
    } while (got.event == TLS_TEXT || got.event == TLS_FORGET);
    s->held = at;
    drop_sealed(tcb, at, from);
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
        s->before = *tcb;
        sealed_begin_own(tcb);
    }
}

// ------------------------------------------------------------------------------------------------ its turns

void sealed_answer(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    if (tcb->state != TCB_REQUEST || s->tls.phase != TLS_HEARD)
        return;
    rx_forget(tcb);
    tls_answer(&s->tls, whit.now_ms / 1000);
    sealed_begin_own(tcb);
}

bool sealed_finished(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    bool own = sealed_own(tcb), update = own && s->tls.out == TLS_UPDATE;
    sealed_over(tcb);
    if (connection_ends(tcb) && !update) {
        response_forget(tcb);    // also of a request that an alert came amid
        return false;
    }
    if (WHIT_HAS_BODY && !own && body_pending(tcb)) {
        request_body(tcb);
    } else if (update) {
        tcb->value = s->before.value;
        tcb->request = s->before.request;
        tcb->close = s->before.close;
        tcb->state = TCB_REQUEST;
    } else {
        response_forget(tcb);
        request_begin(tcb);
    }
    table_arm(tcb, TIMEOUT_TLS);
    if (tcb->state == TCB_REQUEST)
        sealed_input(tcb);
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
