// SPDX-License-Identifier: MIT
// Who finds room for octets that come in under TLS. A record with content is read when all of it is there, so halves of records that
// fill the room would wait for each other. Octets of a record are taken only while the rest of it finds room as well. The
// connection that took some last can go on: that rest is given to nobody else for a while.
#include <stddef.h>

#include "sealed.h"
#include "../base/buffer.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"

#define PROMISED TICKS(252)         // after it took octets
#define PROMISED_MAX TICKS(2000)    // after the first ones

static struct {
    const struct whit_tcb *tcb;    // NULL: no record is half in
    uint16_t began, since;         // ticks at which it took the first octets, and the last
} taker;

// Octets that wait: those of BLOCK_SEALED, and behind them `queued` of the frame at hand.
struct waiting {
    const uint8_t *octets, *queued;
    uint16_t len, queued_len;
};

static struct waiting waiting_of(const struct whit_tcb *tcb)
{
    struct waiting w = {.len = 0};
    w.octets = tcb != NULL ? buffer_find(tcb, BLOCK_SEALED, &w.len) : NULL;
    return w;
}

static uint8_t octet_of(const struct waiting *w, uint16_t at)
{
    return at < w->len ? w->octets[at] : w->queued[at - w->len];
}

// The record that is not whole: what it lacks, of its header as long as that is not there. *whole: its length, 0: not known yet.
static uint16_t lacks(const struct waiting *w, uint32_t *whole)
{
    uint32_t at = 0, all = (uint32_t)w->len + w->queued_len;
    while (all - at >= TLS_HEADER) {
        uint16_t length = (uint16_t)(at + 3);
        *whole = TLS_HEADER + ((uint32_t)octet_of(w, length) << 8 | octet_of(w, (uint16_t)(length + 1)));
        if (*whole > all - at)
            return (uint16_t)(*whole - (all - at));
        at += *whole;
    }
    *whole = 0;
    return (uint16_t)(TLS_HEADER - (all - at));
}

// Its records are read when they are whole.
static bool by_records(const struct sealed *s)
{
    return s->tls.kept.phase == TLS_OPEN ? !s->tls.kept.half_in : tls_is_early(&s->tls);
}

// Octets of room that another one was promised.
static uint16_t promised(const struct whit_tcb *tcb)
{
    uint16_t now = now_ticks();
    if (taker.tcb == NULL || taker.tcb == tcb || (uint16_t)(now - taker.since) >= PROMISED || (uint16_t)(now - taker.began) >= PROMISED_MAX)
        return 0;
    uint32_t whole;
    struct waiting w = waiting_of(taker.tcb);
    uint16_t rest = lacks(&w, &whole);
    return w.octets != NULL && whole != 0 && by_records(sealed_of(taker.tcb)) ? rest : 0;
}

static uint16_t room_for(const struct whit_tcb *tcb, const struct waiting *w)
{
    uint16_t room = buffer_input_room(), others = promised(tcb);
    room = room > others ? (uint16_t)(room - others) : 0;
    uint32_t whole;
    uint16_t rest = lacks(w, &whole);
    if (whole > SEALED_RECORD_MAX)
        return room;    // it is read as it comes, and refused
    if (whole != 0 && rest > room)
        return 0;
    return rest < room ? rest : room;
}

uint16_t sealed_room(void)
{
    const struct whit_rx *rx = &whit.rx;
    if (rx->origin == ORIGIN_COOKIE || (rx->origin == ORIGIN_SLOT && !by_records(sealed_of(rx->slot))))
        return buffer_input_room();
    struct waiting w = waiting_of(rx->slot);
    w.queued = buffer_reserved() + rx->reserved_len - rx->queued_len;
    w.queued_len = rx->queued_len;
    return room_for(rx->slot, &w);
}

bool sealed_finds_room(const struct whit_tcb *tcb)
{
    struct waiting w = waiting_of(tcb);
    return !by_records(sealed_of(tcb)) || room_for(tcb, &w) != 0;
}

void sealed_took(const struct whit_tcb *tcb)
{
    uint32_t whole;
    struct waiting w = waiting_of(tcb);
    uint16_t rest = lacks(&w, &whole);
    if (whole == 0 && taker.tcb == tcb)
        taker.tcb = NULL;
    if (whole == 0 || whole - rest == TLS_HEADER || !by_records(sealed_of(tcb)))
        return;    // of a header alone, the rest may find no room
    taker.since = now_ticks();
    if (taker.tcb != tcb)
        taker.began = taker.since;
    taker.tcb = tcb;
}
