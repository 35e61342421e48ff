// SPDX-License-Identifier: MIT
// A response under TLS. The octets at a position of the response are found as without TLS, sealed as one record, and
// sent; they are not kept. A lost record is sealed again with the same octets. Its number follows from its position,
// and its octets are a function of it (docs/internals/tls.md). When a response closes its connection, close_notify
// follows it.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../net/net.h"
#include "../recovery/recovery.h"

static uint8_t sealed_record[WHIT_TLS_RECORD];
_Static_assert(sizeof sealed_record >= TLS_PLAIN_MAX && sizeof sealed_record >= TLS_RECORD_MIN + TLS_AROUND,
               "WHIT_TLS_RECORD");

// Returns the length with which whole records fill a segment.
uint16_t sealed_record_len(const struct whit_tcb *tcb)
{
    uint16_t mss = tcb_mss(tcb), cnt = (uint16_t)((mss + sizeof sealed_record - 1) / sizeof sealed_record);
    return (uint16_t)((cnt == 1 || WHIT_DRIVER_COPIES ? mss / cnt : sizeof sealed_record) - TLS_AROUND);
}

void sealed_begin_own(struct whit_tcb *tcb)
{
    bool small = window_is_small(tcb);
    response_begin(tcb, KIND_ERROR, RESOURCE_NONE, false);
    response_is_last(tcb, sealed_of(tcb)->tls.kept.phase == TLS_CLOSED);
    if (small)
        window_asks(tcb);
}

// Octets of the text that are sealed when they are sent: all, or the octets before a thread's output.
static bool is_stream(const struct extent *text)
{
    return WHIT_HAS_PERSISTENT_THREADS && extent_strategy(text) == STRATEGY_KEPT &&
           kept_thread(kept_of_extent(text)) != NULL;
}

static whit_position plain_end(const struct extent *text)
{
    return is_stream(text) ? text->content : text->len;
}

// Records of a thread's chunks.
static uint32_t chunk_cnt(const struct extent *text)
{
    return is_stream(text) ? kept_records(kept_of_extent(text))->cnt : 0;
}

void sealed_measure(const struct whit_tcb *tcb, struct extent *e)
{
    const struct tls *tls = &sealed_of(tcb)->tls;
    if (sealed_own(tcb)) {
        *e = (struct extent){.len = tls_out_len(tls), .ended = true};
        return;
    }
    text_measure(tcb, e);
    whit_position end = plain_end(e);
    whit_position wire = (whit_position)(sealed_flight(sealed_of(tcb)) + tls_wire_len(tls, end));
    e->len = (whit_position)(wire + e->len - end);
    e->content = wire;
    e->more = false;
    if (e->ended && tcb->close)
        e->len = (whit_position)(e->len + TLS_CLOSE_LEN);
}

// Octets [from, from + len) of the text.
static enum walked collect(const struct whit_tcb *tcb, const struct extent *text, whit_position from, uint16_t len,
                           uint8_t *to)
{
    struct walk w = {.skip = from, .limit = len, .mss = len, .puts = true};
    walk_record = to;
    enum walked walked = response_walk(&w, tcb, text);
    uint16_t cnt = (uint16_t)(walk_record - to);
    walk_record = NULL;
    return walked == WALKED && cnt != len ? WALK_CHANGED : walked;
}

enum walked sealed_make(const struct whit_tcb *tcb, whit_position position, const uint8_t **octets, uint16_t *len)
{
    const struct sealed *s = sealed_of(tcb);
    const struct tls *tls = &s->tls;
    uint16_t from = (uint16_t)position;
    *octets = sealed_record;
    if (sealed_own(tcb) || position < sealed_flight(s)) {
        *len = tls_out_record(tls, &from, sealed_record);
        *octets += from;
        *len = (uint16_t)(*len - from);
        return WALKED;
    }
    position = (whit_position)(position - sealed_flight(s));
    struct extent text;
    text_extent(tcb, &text);
    whit_position end = plain_end(&text), wire = (whit_position)tls_wire_len(tls, end);
    if (position < wire) {
        uint16_t whole = (uint16_t)(tls_record_len(tls) + TLS_AROUND);
        uint32_t index = position / whole, begin = index * tls_record_len(tls);
        from = (uint16_t)(position % whole);
        uint16_t cnt = (uint16_t)(end - begin < tls_record_len(tls) ? end - begin : tls_record_len(tls));
        enum walked walked = collect(tcb, &text, (whit_position)begin, cnt, sealed_record + TLS_HEADER);
        if (walked != WALKED)
            return walked;
        *len = (uint16_t)(tls_seal(tls, index, sealed_record, cnt) - from);
    } else if (position - wire < text.len - end) {
        from = (uint16_t)(position - wire);
        *octets = kept_of_extent(&text)->octets;
        *len = (uint16_t)(text.len - end - from);
    } else {
        from = (uint16_t)(position - wire - (text.len - end));
        tls_seal_close(tls, tls_records(tls, end) + chunk_cnt(&text), sealed_record);
        *len = (uint16_t)(TLS_CLOSE_LEN - from);
    }
    *octets += from;
    return WALKED;
}

uint16_t sealed_last(const struct whit_tcb *tcb, const uint8_t **octets)
{
    tls_seal_close(&sealed_of(tcb)->tls, 0, sealed_record);
    *octets = sealed_record;
    return TLS_CLOSE_LEN;
}

void sealed_over(struct whit_tcb *tcb)
{
    struct sealed *s = sealed_of(tcb);
    if (sealed_own(tcb)) {
        tls_out_end(&s->tls);
        return;
    }
    if (sealed_flight(s) != 0) {
        tls_out_end(&s->tls);
        sealed_set_flight(s, 0);
    }
    struct extent text;
    text_extent(tcb, &text);
    tls_response_end(&s->tls, plain_end(&text), chunk_cnt(&text));
}
