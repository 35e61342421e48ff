// SPDX-License-Identifier: MIT
// Blocks of a connection under TLS in the shared buffer, and records of a thread's output: sealed once, in their place.
#include <stddef.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"

struct sealed *sealed_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct sealed *)(void *)buffer_find(tcb, BLOCK_TLS, &len);
}

bool sealed_own(const struct whit_tcb *tcb)
{
    return tcb->response.kind == KIND_ERROR && tcb->response.resource == RESOURCE_NONE;
}

uint16_t sealed_chunk_max(const struct whit_tcb *tcb)
{
    const struct tls *tls = &sealed_of(tcb)->tls;
    return tls->kept.has_limit ? (uint16_t)(tls_record_len(tls) - CHUNK_AROUND) : CHUNK_DATA_MAX;
}

static void seal_kept(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record,
                      uint16_t len)
{
    const struct tls *tls = &sealed_of(tcb)->tls;
    tls_seal(tls, tls_records(tls, head_len) + kept->cnt++, record, len);
}

void sealed_chunk(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record,
                  uint16_t len)
{
    if (head_len != 0)
        seal_kept(tcb, kept, head_len, record, len);
    else
        kept->first_len = len;
}

void sealed_first(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record)
{
    seal_kept(tcb, kept, head_len, record, kept->first_len);
    kept->first_len = 0;
}

// ------------------------------------------------------------------------------------------------ early data

// Selects the requests that are answered before the client's Finished: requests that may be replayed without harm (RFC
// 8470, section 3). All others wait for it.

#if WHIT_HTTPS_EARLY

bool sealed_defers(const struct whit_tcb *tcb)
{
    if (!is_tls(tcb) || sealed_of(tcb)->tls.kept.phase != TLS_AWAITING)
        return false;
    if (tcb->request.step == STEP_BODY || tcb->request.method == WHIT_POST)
        return true;
    return tcb->request.step == STEP_DONE && tcb->request.resource != RESOURCE_NONE &&
           whit_flash_u8(&whit_resources[tcb->request.resource].persistence) == WHIT_PERSISTENT;
}

#endif

// ------------------------------------------------------------------------------------------------ redirects to HTTPS

// Redirection of plain HTTP to HTTPS: the location is the request's target at its Host (RFC 9110, section 15.4.9). The
// request's head is kept in BLOCK_INPUT up to its Host; both are found there for each transmission. The grammar has
// checked them.

struct text_at {
    const uint8_t *octets;
    uint16_t len;
};

#define TEXT(number) #number
#define PORT_TEXT(number) ":" TEXT(number)
static const uint8_t port_text[] = PORT_TEXT(WHIT_HTTPS_PORT);
#define PORT_TEXT_LEN (WHIT_HTTPS_PORT == 443 ? 0 : sizeof port_text - 1)

static const uint8_t *find_octet(const uint8_t *at, const uint8_t *end, uint8_t octet)
{
    while (at != end && *at != octet)
        at++;
    return at;
}

// Returns a host without its port, at the beginning of the octets up to `end`.
static struct text_at host_at(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *to = at;
    if (at != end && *at == '[')
        to = find_octet(at, end, ']');
    while (to != end && *to != ':' && *to != '/' && *to != '?' && *to > ' ')
        to++;
    return (struct text_at){at, (uint16_t)(to - at)};
}

// Finds the line that begins with "Host:", up to its CR. len 0: absent, or incomplete.
static struct text_at host_line(const uint8_t *at, const uint8_t *end)
{
    static const char name[] = "host:";
    for (;;) {
        at = find_octet(at, end, '\n');
        if (at == end)
            return (struct text_at){NULL, 0};
        uint8_t same = 0;
        for (at++; same < sizeof name - 1 && at + same < end && (at[same] | 0x20) == (name[same] | 0x20); same++)
            ;
        const uint8_t *cr = find_octet(at, end, '\r');
        if (same == sizeof name - 1 && cr != end)
            return (struct text_at){at, (uint16_t)(cr - at)};
    }
}

bool redirect_keeps(const struct whit_tcb *tcb)
{
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len);
    return octets == NULL || host_line(octets, octets + len).len == 0;
}

// The device's address, as it is written.
static uint16_t write_address(uint8_t *to)
{
    uint8_t *at = to;
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t number = whit.network->address[i];
        if (i != 0)
            *at++ = '.';
        if (number >= 100)
            *at++ = (uint8_t)('0' + number / 100);
        if (number >= 10)
            *at++ = (uint8_t)('0' + number / 10 % 10);
        *at++ = (uint8_t)('0' + number % 10);
    }
    return (uint16_t)(at - to);
}

void redirect_walk(struct walk *w, const struct whit_tcb *tcb)
{
    static const uint8_t slash[] = "/";
    uint8_t address[15];
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len), *end = octets + len;
    const uint8_t *target = find_octet(octets, end, ' ') + 1, *target_end = find_octet(target, end, ' ');
    struct text_at host = host_line(target_end, end);
    // "http://" or "https://", and a host that counts more than the field (RFC 9112, section 3.2.2)
    if (*target != '/') {
        host = host_at(find_octet(target, target_end, '/') + 2, target_end);
        target = host.octets + host.len;
        while (target != target_end && *target != '/' && *target != '?')
            target++;    // a port
    } else if (host.len != 0) {
        const uint8_t *value = host.octets + 5, *value_end = host.octets + host.len;
        while (value != value_end && *value <= ' ')
            value++;
        host = host_at(value, value_end);
    }
    if (host.len != 0)
        walk_ram(w, host.octets, host.len, WHIT_IN_BUFFER);
    else
        walk_ram(w, address, write_address(address), WHIT_IN_RAM);
    if (PORT_TEXT_LEN != 0)
        walk_ram(w, port_text, PORT_TEXT_LEN, WHIT_IN_BUFFER);
    if (target == target_end || *target != '/')
        walk_ram(w, slash, 1, WHIT_IN_BUFFER);
    if (target != target_end)
        walk_ram(w, target, (uint16_t)(target_end - target), WHIT_IN_BUFFER);
    walk_ram(w, (const uint8_t *)"\r\n", 2, WHIT_IN_BUFFER);
}

// ------------------------------------------------------------------------------------------------ room for records

// Room for octets that come in under TLS. A record with content is read when all of it is there, so halves of records
// that fill the room would wait for each other. Octets of a record are taken only if its remaining octets find room as
// well. The connection that took some last can continue: the room for its remaining octets is reserved for a while.

#define PROMISED TICKS(252)         // after it took octets
#define PROMISED_MAX TICKS(2000)    // after the first ones

static struct {
    const struct whit_tcb *tcb;    // NULL: no record is half in
    uint16_t began, since;         // ticks at which it took the first octets, and the last
} taker;

// Octets that wait: those of BLOCK_SEALED, and behind them `queued` of the current frame.
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

// Returns the missing octets of an incomplete record, or of its header while that is incomplete. *whole: the record's
// length, 0: not known yet.
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

// Returns the octets of room that are reserved for another connection.
static uint16_t promised(const struct whit_tcb *tcb)
{
    uint16_t now = now_ticks();
    if (taker.tcb == NULL || taker.tcb == tcb || (uint16_t)(now - taker.since) >= PROMISED ||
        (uint16_t)(now - taker.began) >= PROMISED_MAX)
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
        return;    // after a header alone, the remaining octets may find no room
    taker.since = now_ticks();
    if (taker.tcb != tcb)
        taker.began = taker.since;
    taker.tcb = tcb;
}
