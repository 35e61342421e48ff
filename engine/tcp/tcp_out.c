// SPDX-License-Identifier: MIT
// Segments out. A response's octets are found by their position (response.c), for the first transmission and for each
// further one. Sent octets are not kept here.
#include "internal.h"
#include "tcp.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/driver.h"

// The first pass; *extent is updated with the octets that were generated for it.
static enum walked walk_first(struct walk *w, const struct whit_tcb *tcb, whit_position position, uint16_t limit,
                              struct extent *extent)
{
    *w = (struct walk){.skip = position, .mss = tcb_mss(tcb)};
    w->limit = limit < w->mss ? limit : w->mss;
    if (!extent_more(extent) && position >= extent->len)
        return WALKED;
    enum walked walked = response_walk(w, tcb, extent);
    if ((WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE) && walked == WALK_MAKE) {
        walked = replay_make(w, tcb);
        if (walked == WALKED)
            walked = content_walk(w, tcb, extent);
    }
    if ((WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN) && extent_strategy(extent) >= STRATEGY_REPLAY)
        response_extent(tcb, extent);
    if (WHIT_HAS_RERUN && w->new_chunk) {
        extent->len = (whit_position)(extent->len + rerun_new_len(tcb, &extent->ended));
    }
    return walked;
}

static void walk_again(struct walk *w, const struct whit_tcb *tcb, whit_position position, const struct extent *extent)
{
    w->skip = (whit_position)(position - w->overlap_len);
    w->limit = w->len;
    w->puts = true;
    if (w->len != 0)
        response_walk(w, tcb, extent);
    HOLDS(w->limit == 0);    // the counted octets were put
}

#define CHANGED UINT16_MAX    // as an offset: above any peer's window (limits.h)

// Returns the flags of a segment to `*end`: FIN if it is the last.
static uint8_t flags_of(const struct whit_tcb *tcb, const struct extent *extent, uint16_t offset, uint16_t limit,
                        uint16_t len, uint16_t *end)
{
    // 0: only a FIN is left
    whit_position content_left = (whit_position)(extent->len > tcb->position ? extent->len - tcb->position : 0);
    uint8_t flags = TCP_ACK;
    if (*end == content_left) {
        if (len != 0)
            flags |= TCP_PSH;
        if (extent_fin(extent, tcb) && *end - offset < limit) {
            flags |= TCP_FIN;
            (*end)++;
        }
    }
    return flags;
}

#define RECORD_SHARES 180    // octets: of less, a segment may have too many
_Static_assert(MSS_MAX / RECORD_SHARES + 4 <= WHIT_PUTS_MAX, "driver.h: its head, and three of a handshake's flight");

// True if another whole record fits the room that a segment has left. It is sealed in the place of the one before it,
// after the driver has taken that. all: the segment has all that there is.
static bool record_fits(const struct whit_tcb *tcb, const struct extent *extent, uint16_t room, bool all)
{
    uint16_t whole = (uint16_t)(tls_record_len(&sealed_of(tcb)->tls) + TLS_AROUND);
    return WHIT_DRIVER_COPIES && extent_strategy(extent) <= STRATEGY_STORED && whole >= RECORD_SHARES &&
           (all || whole <= room);
}

// Sends like send_response() under TLS: the remainder of the current record, and whole ones after it. Each of several
// records is sealed twice, for the sum and for the driver, because there is room for one.
static uint16_t send_sealed(struct whit_tcb *tcb, uint16_t offset, uint16_t limit, struct extent *extent)
{
    const uint8_t *octets = NULL;
    uint16_t len = 0, part = 0, sum = 0, end = offset, mss = tcb_mss(tcb), room = limit < mss ? limit : mss;
    whit_position position = (whit_position)(tcb->position + offset),
                  left = (whit_position)(extent->len > position ? extent->len - position : 0);
    bool all = left <= room;
    if (all)
        room = (uint16_t)left;
    for (bool puts = false;; puts = true) {
        for (len = 0; room != 0 && (len == 0 || puts || record_fits(tcb, extent, room, all));
             room = (uint16_t)(room - part)) {
            enum walked walked = sealed_make(tcb, (whit_position)(position + len), &octets, &part);
            if (walked != WALKED)
                return walked == WALK_CHANGED ? CHANGED : offset;
            part = part < room ? part : room;
            if (puts)
                whit_driver_put(octets, part, WHIT_IN_BUFFER);
            else
                sum = checksum_octets(sum, octets, part, len % 2 != 0);
            len = (uint16_t)(len + part);
        }
        if (puts)
            break;
        end = (uint16_t)(offset + len);
        uint8_t flags = flags_of(tcb, extent, offset, limit, len, &end);
        if (end == offset || !segment_begin(tcb, tcb->snd_una + offset, flags, len, sum))
            return offset;
        if (part == len) {
            if (len != 0)
                whit_driver_put(octets, len, WHIT_IN_BUFFER);
            break;
        }
        room = len;
    }
    link_out_end();
    ack_goes_along(tcb);
    return end;
}

// Sends octets [offset, offset + limit) after snd_una, or as many as fit one segment. Returns the offset after the
// last, `offset` when nothing was sent, CHANGED when the connection must be reset.
static uint16_t send_response(struct whit_tcb *tcb, uint16_t offset, uint16_t limit, struct extent *extent)
{
    struct walk w;
    HOLDS(tcb->state == TCB_RESPONSE && offset <= tcb->response.flight);
    if (is_tls(tcb))
        return send_sealed(tcb, offset, limit, extent);
    whit_position position = (whit_position)(tcb->position + offset);
    bool large = WHIT_HAS_LARGE && position < extent->len && segment_large(tcb) != 0;
    enum walked walked = WALKED;
    if (large) {
        // again: one segment
        uint16_t len = segment_len(tcb), most = offset < tcb->response.flight && len < limit ? len : limit;
        w = (struct walk){.len = extent->len - position < most ? (uint16_t)(extent->len - position) : most};
    } else {
        walked = walk_first(&w, tcb, position, limit, extent);
    }
    if (WHIT_HAS_RERUN && walked == WALK_AGAIN)
        walked = walk_first(&w, tcb, position, limit, extent);
    if ((WHIT_HAS_GENERATORS || WHIT_HAS_STORED) && walked == WALK_CHANGED)
        return CHANGED;
    HOLDS(w.overlap_len <= w.len);
    uint16_t end = (uint16_t)(offset + w.len - w.overlap_len);
    uint8_t flags = flags_of(tcb, extent, offset, limit, w.len, &end);
    if (end == offset)
        return offset;
    if (large ? !segment_begin_large(tcb, tcb->snd_una + offset, flags, w.len)
              : !segment_begin(tcb, tcb->snd_una + offset - w.overlap_len, flags, w.len, w.sum))
        return offset;
    if (WHIT_HAS_RERUN && w.new_chunk)
        rerun_sent(tcb);
    walk_again(&w, tcb, position, extent);
    link_out_end();
    ack_goes_along(tcb);
    return end;
}

#define FOUR_MIN 1024    // octets: of fewer, two more heads cost more time than they save

// Returns the octets of the segment at `offset`: the MSS, or less if a thread's last write is then sent in an even
// number of segments. A peer that acknowledges every second segment at once would delay the last one of an odd number.
// One of two pairs is in flight while the thread writes the other. A small segment after as many octets in flight was
// freed by a peer that acknowledges every segment: halved each time, segments would become small.
static uint16_t segment_max(const struct whit_tcb *tcb, uint16_t offset, const struct extent *extent)
{
    uint16_t mss = tcb_mss(tcb);
    if (!(WHIT_HAS_PERSISTENT_THREADS || (WHIT_GIVES_TURNS && WHIT_HAS_PERSISTENT)) || is_tls(tcb) ||
        extent_strategy(extent) != STRATEGY_KEPT)
        return mss;
    uint16_t last_write = kept_last_write(kept_of_extent(extent));
    // while a frame waits for a slot, its head goes ahead: the second segment is acknowledged at once
    if (last_write == KEPT_PLAIN)
        return WHIT_GIVES_TURNS && whit.crowded_since != 0 && offset == 0 && tcb->position == 0 && extent->len <= mss
                   ? (uint16_t)extent->content
                   : mss;
    if (!WHIT_HAS_PERSISTENT_THREADS)
        return mss;
    whit_position begun = (whit_position)(last_write != 0 ? extent->content + last_write : 0);
    whit_position from = (whit_position)(begun > tcb->position ? begun - tcb->position : 0);
    whit_position len = (whit_position)(extent->len - tcb->position + extent_fin(extent, tcb));
    if (offset < from || len <= from)
        return mss;
    len = (whit_position)(len - from);
    if (!extent_ended(extent) && from >= len && len < FOUR_MIN / 2)
        return mss;
    whit_position pairs = (whit_position)((len + 2 * mss - 1) / (2 * mss));
    if (pairs == 1 && len >= FOUR_MIN)
        pairs = 2;
    return (uint16_t)((len + 2 * pairs - 1) / (2 * pairs));
}

// Returns the octets of `left`, more than a segment has, that go into one frame: whole segments, or all of them. 0:
// send a segment.
static uint16_t large_max(const struct whit_tcb *tcb, whit_position left, uint16_t window)
{
    uint16_t most = segment_large(tcb), len = segment_len(tcb);
    if (most <= len)
        return 0;
    if (window < most)
        most = window;
    return left <= most ? (uint16_t)left : (uint16_t)(most - most % len);
}

// Returns the octets that may be sent at `offset` by the windows, of `left`. A partial segment is sent only if nothing
// is in flight or it is the last (RFC 9293 section 3.8.6.2.1). A retransmitted octet may go into a closed window: its
// probe.
static uint16_t may_send(const struct whit_tcb *tcb, uint16_t offset, whit_position left, const struct extent *extent)
{
    uint16_t mss = segment_max(tcb, offset, extent), window = window_of(tcb);
    if (window == 0 && tcb->response.mode == MODE_RESEND)
        window = 1;
    uint32_t congestion = recovery_segments(tcb) * mss;
    if (congestion < window)
        window = (uint16_t)congestion;
    if (left <= offset || window <= offset)
        return 0;
    left = (whit_position)(left - offset);
    window = (uint16_t)(window - offset);
    if (window < left && window < mss && offset != 0)
        return 0;
    uint16_t large = WHIT_HAS_LARGE && left > mss && window > mss && tcb->response.mode <= MODE_TIMING
                         ? large_max(tcb, left, window)
                         : 0;
    if (large != 0)
        return large;
    if (left > window)
        left = window;
    return (uint16_t)(left < mss ? left : mss);
}

// last: nothing is left to be sent.
static void sent_to(struct whit_tcb *tcb, uint16_t end, bool last)
{
    mark_sent(tcb, end);
    if (end > tcb->response.flight) {
        uint16_t before = tcb->response.flight;
        tcb->response.flight = end;
        recovery_sent(tcb, before, last);
    }
}

static void resend(struct whit_tcb *tcb, uint16_t offset, struct extent *extent)
{
    uint16_t window = window_of(tcb), most = window < tcb->response.flight ? window : tcb->response.flight;
    if (most <= offset)
        return;
    response_extent(tcb, extent);
    uint16_t end = send_response(tcb, offset, (uint16_t)(most - offset), extent);
    if (end == CHANGED) {
        connection_changed(tcb);
        return;
    }
    if (end > tcb->response.flight)
        tcb->response.flight = end;    // a FIN that the peer's own made due
    recovery_resent(tcb, end);
}

void tcp_resend(struct whit_tcb *tcb, uint16_t offset)
{
    struct extent extent;
    resend(tcb, offset, &extent);
}

// Sends a segment by its template. False: no template fits it. *sent: the driver has taken it.
static bool output_template(struct whit_tcb *tcb, bool *sent)
{
    uint16_t flight = tcb->response.flight;
    uint32_t end = segment_next(tcb);
    if (end == 0)
        return false;
    *sent = end != flight;
    if (*sent) {
        tcb->response.flight = (uint16_t)end;
        recovery_sent(tcb, flight, false);
    }
    if (*sent || !whit_driver_ready())
        table_ready(tcb);
    return true;
}

// Runs a thread. False: it failed, and its connection with it, unless nothing was sent yet.
static bool thread_goes_on(struct whit_tcb *tcb, struct kept *kept)
{
    bool later = WHIT_HAS_LATER && kept_later(kept);
    uint8_t status = kept_more(tcb, kept);
    if (status == HTTP_200)
        return true;
    if (later)
        http_fail(tcb, status);
    else
        connection_changed(tcb);
    return false;
}

// One segment of the response, if the windows let it go.
static bool output_response(struct whit_tcb *tcb)
{
    struct extent extent;
    if (recovery_resends(tcb)) {
        table_ready(tcb);
        resend(tcb, tcb->response.mark, &extent);
        return true;
    }
    bool sent;
    if (output_template(tcb, &sent))
        return sent;
    uint16_t offset = tcb->response.mode == MODE_RESEND ? tcb->response.mark : tcb->response.flight;
    if (WHIT_HAS_PERSISTENT_THREADS) {
        response_strategy(tcb, &extent);
        bool kept = extent_strategy(&extent) == STRATEGY_KEPT;
        if (kept && !thread_goes_on(tcb, extent_kept(&extent)))
            return true;
        if (WHIT_HAS_LATER && kept && kept_later(extent_kept(&extent))) {
            table_arm(tcb, THREAD_POLL);
            return false;
        }
        response_measure(tcb, &extent);
    } else {
        response_extent(tcb, &extent);
    }
    whit_position left = POSITION_MAX;
    if (!extent_more(&extent))
        left = (whit_position)(extent.len - tcb->position + extent_fin(&extent, tcb));
    if (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE && left > tcb->response.flight) {    // some of it never left
        connection_changed(tcb);
        return true;
    }
    uint16_t limit = may_send(tcb, offset, left, &extent);
    if (limit != 0) {
        uint16_t end = send_response(tcb, offset, limit, &extent);
        if ((WHIT_HAS_GENERATORS || WHIT_HAS_STORED || WHIT_TLS) && end == CHANGED) {
            connection_changed(tcb);
            return true;
        }
        if (end > offset) {
            sent_to(tcb, end, !extent_more(&extent) && end >= extent.len - tcb->position);
            if (!WHIT_FAST || is_tls(tcb) || end < left || extent_strategy(&extent) != STRATEGY_STATIC)
                table_ready(tcb);
            return true;
        }
        if (!whit_driver_ready())
            table_ready(tcb);
    } else if (recovery_early(tcb)) {
        table_ready(tcb);    // recovery_resends() is true now
        return false;
    }
    if (WHIT_HAS_THREADS && response_waits_at(tcb, &extent))
        table_arm(tcb, THREAD_POLL);
    else if (tcb->response.flight == 0)
        retransmit_arm(tcb);    // the window is closed, or the link does not know the way yet
    return false;
}

bool tcp_output(struct whit_tcb *tcb)
{
    uint16_t flight = 0;
    if (tcb->state == TCB_RESPONSE) {
        // the response, or the next poll, acknowledges its request
        if (WHIT_FAST && WHIT_HAS_LATER && kept_rests(tcb)) {
            table_arm(tcb, THREAD_POLL);
            return false;
        }
        if (output_response(tcb))
            return true;
        flight = tcb->response.flight;
    }
    if (!tcb->ack_now)
        return false;
    ack_goes_along(tcb);    // lost if the link cannot take it: the peer repeats the cause
    if (WHIT_HAS_BODY && body_repeats(tcb))
        owe_ack(tcb);
    return tcp_empty(tcb, tcb->snd_una + flight, TCP_ACK);
}
