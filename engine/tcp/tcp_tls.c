// SPDX-License-Identifier: MIT
// Input under TLS. Segments are stored until their checksum holds, and records with content until all of them is there.
// Then a record is opened in place. After its tag is verified, its content becomes BLOCK_INPUT, and is read like that
// of any connection. While a response is sent, records wait.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/port.h"

#define TIMEOUT_TLS TICKS(WHIT_REQUEST_TIMEOUT_S *UINT32_C(1000))

// A request that is interrupted by the answer to a KeyUpdate. It is at the beginning of BLOCK_SEALED, in place of that
// record.
struct amid {
    uint32_t value;
    uint8_t request[sizeof((struct whit_tcb *)0)->request];
    bool small;    // window_is_small()
};
_Static_assert(sizeof(struct amid) <= TLS_AROUND + 1, "it is no longer than a record");
_Static_assert(sizeof((struct tls_flight *)0)->request >= sizeof(struct amid), "nor than what is there of early data");
_Static_assert(!WHIT_HTTPS_EARLY || EARLY_MAX + TLS_AROUND <= SEALED_RECORD_MAX, "early data finds room");
_Static_assert(SEALED_RECORD_MAX > sizeof(struct tls_partial), "of a record that finds no room, this does");
_Static_assert(!WHIT_TLS || INPUT_LEN > sizeof(struct sealed) + 256,
               "WHIT_TLS_BUFFER: a handshake and a segment find room");

// Puts the content of a record, before its tag, after the `len` octets of `to`. It has fewer octets than were taken.
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

// Ways to read the next record.
enum reading {
    READ_WAITS,    // there is not enough of it
    READ_AS_IT_COMES,
    READ_WHOLE,
    READ_LONG,    // it finds no room: as it comes, and its content is not kept
};

// *end: of the octets, where it does at most.
static enum reading reading_of(const struct tls *tls, const uint8_t *octets, uint16_t *end)
{
    if (octets == NULL || tls->kept.phase == TLS_CLOSED ||
        (tls->kept.phase == TLS_OPEN && tls->kept.out != TLS_NOTHING))
        return READ_WAITS;
    if (tls->kept.phase < TLS_OPEN && !tls_is_early(tls))
        return READ_AS_IT_COMES;
    if (tls->kept.half_in)
        return READ_LONG;
    if (*end < TLS_HEADER)
        return READ_WAITS;
    uint32_t whole = (uint32_t)TLS_HEADER + load16_be(octets + 3);
    if (whole > *end)
        return whole > SEALED_RECORD_MAX && *end >= sizeof(struct tls_partial) ? READ_LONG : READ_WAITS;
    *end = (uint16_t)whole;
    return READ_WHOLE;
}

enum { NOT_READ = -2, TOO_LONG };

// Reads up to the end of a record with content, or as far as there are octets. Returns the octets of content that are
// verified, at the beginning of BLOCK_SEALED; or NOT_READ, TOO_LONG.
static int32_t read_record(struct whit_tcb *tcb)
{
    for (;;) {
        struct sealed *s = sealed_of(tcb);
        struct tls_partial here = {0};
        struct tls_got got;
        uint16_t end, at = 0, from = 0;
        uint8_t *octets = buffer_find(tcb, BLOCK_SEALED, &end);
        enum reading reading = reading_of(&s->tls, octets, &end);
        if (reading == READ_WAITS)
            return NOT_READ;
        // more than a client may send
        if (WHIT_HTTPS_EARLY && reading == READ_LONG && s->tls.kept.phase != TLS_OPEN) {
            tls_close(&s->tls, TLS_UNEXPECTED_MESSAGE);
            return NOT_READ;
        }
        if (s->tls.kept.half_in) {
            memcpy(&here, octets, sizeof here);
            from = sizeof here;
        }
        do {
            from = (uint16_t)(from + tls_in(&s->tls, reading == READ_AS_IT_COMES ? &s->in : &here, octets + from,
                                            (uint16_t)(end - from), &got));
            if (got.event == TLS_TEXT && reading != READ_LONG)
                at = put_content(octets, at, &got);
        } while (got.event == TLS_TEXT);
        if (got.event != TLS_RECORD)
            at = 0;
        s->tls.kept.half_in = reading == READ_LONG && got.event == TLS_NONE && s->tls.kept.phase == TLS_OPEN;
        if (s->tls.kept.half_in) {
            memcpy(octets, &here, sizeof here);
            at = sizeof here;
        } else if (s->tls.kept.out == TLS_UPDATE) {
            at = sizeof(struct amid);    // place of its record
        }
        drop_sealed(tcb, at, from);
        if (got.event == TLS_RECORD)
            return reading == READ_LONG ? TOO_LONG : at;
        if (got.event == TLS_NONE && reading != READ_WHOLE)
            return NOT_READ;
    }
}

// True: something was verified, which is BLOCK_INPUT now.
static bool next_input(struct whit_tcb *tcb)
{
    int32_t len;
    do {
        len = read_record(tcb);
    } while (len == 0);    // records without content
    if (len == TOO_LONG || (len > 0 && !buffer_move(tcb, (uint16_t)len))) {
        http_refuse(tcb, HTTP_413);
        return false;
    }
    return len > 0;
}

// Reads the verified content.
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

// Returns the stored request that TLS interrupts to send: a KeyUpdate's answer, or the flight. Its early data are not
// to be answered yet, or not whole.
static void *amid_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    struct tls *tls = &sealed_of(tcb)->tls;
    return WHIT_HTTPS_EARLY && tls->kept.out == TLS_FLIGHT ? (void *)tls->flight.request
                                                           : buffer_find(tcb, BLOCK_SEALED, &len);
}

static void keep_amid(const struct whit_tcb *tcb)
{
    struct amid kept = {.value = tcb->value, .small = window_is_small(tcb)};
    memcpy(kept.request, &tcb->request, sizeof kept.request);
    memcpy(amid_of(tcb), &kept, sizeof kept);
}

static void go_on(struct whit_tcb *tcb, const void *amid, bool of_update)
{
    struct amid kept;
    memcpy(&kept, amid, sizeof kept);
    request_put_back(tcb, kept.value, kept.request, kept.small);
    if (of_update)
        drop_sealed(tcb, 0, sizeof kept);
    if (WHIT_HTTPS_EARLY && http_starved(tcb))
        request_read_again(tcb);
}

// Its request is read, or its head, and has done nothing.
static bool is_deferred(const struct whit_tcb *tcb)
{
    return http_complete(tcb) ||
           (WHIT_HAS_BODY && tcb->request.step == STEP_BODY && body_kept(tcb)->transfer == TRANSFER_NEW);
}

void sealed_input(struct whit_tcb *tcb)
{
    reservation_over(&whit.rx);
    if (sealed_rests(tcb))
        table_arm(tcb, TIMEOUT_TLS);    // timer of a request that begins; sealed_rest() without one
    if (tcb->state == TCB_REQUEST && !http_starved(tcb))
        read_input(tcb);
    while (tcb->state == TCB_REQUEST && !http_starved(tcb) && next_input(tcb))
        read_input(tcb);
    struct sealed *s = sealed_of(tcb);
    if (tcb->state != TCB_REQUEST)
        return;
    if (s->tls.kept.is_cut) {
        buffer_cut(tcb, BLOCK_TLS, SEALED_CUT);
        s = sealed_of(tcb);
    }
    if (s->tls.kept.phase == TLS_HEARD) {
        sealed_awaits_turn(tcb);
    } else if (s->tls.kept.out != TLS_NOTHING || s->tls.kept.phase == TLS_CLOSED) {
        // nothing of it has left: the client knows no key of ours
        if (sealed_flight(s) != 0 && s->tls.kept.phase == TLS_CLOSED)
            s->tls.kept.alert_is_plain = true;
        sealed_set_flight(s, 0);
        if (s->tls.kept.out == TLS_UPDATE || (WHIT_HTTPS_EARLY && s->tls.kept.out == TLS_FLIGHT))
            keep_amid(tcb);
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
    bool small = window_is_small(tcb);
    sealed_set_flight(s, tls_out_len(&s->tls));
    sealed_input(tcb);
    if (tcb->state == TCB_RESPONSE && !small)
        window_update(tcb, sealed_of(tcb)->window);
}

#endif

bool sealed_due(struct whit_tcb *tcb)
{
    if (tcb->state != TCB_REQUEST || sealed_of(tcb)->tls.kept.phase != TLS_HEARD)
        return sealed_cut_off(tcb);
    table_arm(tcb, TIMEOUT_TLS);    // it has its turn
    return true;
}

bool sealed_finished(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    bool own = sealed_own(tcb), update = own && s->tls.kept.out == TLS_UPDATE;
    bool goes_on = update || (own && s->tls.kept.out == TLS_FLIGHT && tls_is_early(&s->tls));
    const void *amid = goes_on ? amid_of(tcb) : NULL;
    sealed_over(tcb);
    if (connection_ends(tcb) && !goes_on) {
        if (own)
            response_forget(tcb);    // drops the response of a request that an alert interrupted
        return false;
    }
    if (WHIT_HAS_BODY && !own && body_pending(tcb)) {
        request_body(tcb);
    } else if (goes_on) {
        go_on(tcb, amid, update);
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
    uint16_t len;
    struct sealed *s = sealed_of(tcb);
    bool begun = request_begun(tcb) || buffer_find(tcb, BLOCK_SEALED, &len) != NULL;
    if (s->tls.kept.phase == TLS_OPEN && begun)
        return false;
    if (s->tls.kept.phase == TLS_OPEN)
        tls_close(&s->tls, TLS_CLOSE_NOTIFY);
    else
        s->tls.kept.phase = TLS_CLOSED;
    sealed_begin_own(tcb);
    table_arm(tcb, RTO_INITIAL);
    return true;
}
