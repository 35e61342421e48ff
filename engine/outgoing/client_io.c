// SPDX-License-Identifier: MIT
// Segments of connections that the server opened (RFC 9293 sections 3.10.7.3 and .4, RFC 5961). Octets go to the free
// end of the receive ring as they come, and count when the checksum holds.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "outgoing.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../net/net.h"
#include "whit/driver.h"
#include "whit/engine.h"

// The frame being received, of client_incoming.
static struct {
    uint16_t skip;     // octets that are skipped: old ones, or not wanted
    uint16_t taken;    // octets in the ring that do not count yet
    bool truncated;    // octets found no room: none after them is taken
} client_data;

bool clients_find(void)
{
    const struct whit_rx *rx = &whit.rx;
    uint16_t local_port = load16_be(rx->head + 2);
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        struct whit_client_tcb *c = &client_tcbs[i];
        bool lives = c->state >= CLIENT_TCB_SYN_SENT && c->state <= CLIENT_TCB_TIME_WAIT;
        if (c->local_port != local_port || !lives || c->remote_port != rx->pending.remote_port ||
            c->remote_addr != rx->pending.remote_addr)
            continue;
        // octets of the data; more than there are when they are ahead of a gap
        uint32_t old = c->rcv_nxt - seg_seq();
        bool reads =
            c->state == CLIENT_TCB_OPEN && !c->closed && !c->peer_fin && (seg_flags() & (TCP_SYN | TCP_RST)) == 0;
        client_incoming = c;
        client_data.skip = reads && old < rx->payload_len ? (uint16_t)old : rx->payload_len;
        client_data.taken = 0;
        client_data.truncated = false;
        return true;
    }
    return false;
}

void clients_data(const uint8_t *octets, uint16_t len)
{
    struct whit_client_tcb *c = client_incoming;
    uint16_t old = client_data.skip < len ? client_data.skip : len;
    client_data.skip = (uint16_t)(client_data.skip - old);
    octets += old;
    len = (uint16_t)(len - old);
    if (c == NULL || len == 0)
        return;
    uint16_t room = client_data.truncated ? 0 : (uint16_t)(WHIT_CLIENT_RECEIVE - c->receive_len - client_data.taken);
    if (room < len) {
        client_data.truncated = true;
        len = room;
    }
    uint8_t *ring = client_receive_rings[client_number(c)];
    uint16_t at =
        (uint16_t)((c->receive_first + UINT32_C(0) + c->receive_len + client_data.taken) % WHIT_CLIENT_RECEIVE);
    uint16_t first = (uint16_t)(WHIT_CLIENT_RECEIVE - at);
    first = first < len ? first : len;
    memcpy(ring + at, octets, first);
    memcpy(ring, octets + first, (uint16_t)(len - first));
    client_data.taken = (uint16_t)(client_data.taken + len);
}

// ------------------------------------------------------------------------------------------------ SYN-SENT

static void client_established(struct whit_client_tcb *c)
{
    uint16_t mss = whit.rx.mss < MSS_MAX ? whit.rx.mss : MSS_MAX;
    c->state = CLIENT_TCB_OPEN;
    c->rcv_nxt = seg_seq() + 1;
    c->snd_una++;
    if (c->timing)
        client_rtt(c, (uint16_t)(now_ticks() - c->timed_at));
    else
        c->rto = 3 * RTO_INITIAL;    // the SYN was sent again (RFC 6298 section 5.7)
    c->sent = c->high = c->retries = c->timing = c->armed = c->awaited = 0;
    c->mss = mss;
    c->snd_wnd = seg_wnd();
    c->cwnd = mss > 2190 ? 2 * mss : mss > 1095 ? 3 * mss : 4 * mss;    // RFC 5681 section 3.1
    if (c->send_len != 0)
        client_await(c);
    link_way_learn(client_number(c));
    client_wake(c);
    client_owe_ack(c);
}

// Handles a segment in SYN-SENT. A SYN without ACK is a simultaneous opening, which is refused: it is not answered, and
// its sender gets our SYN.
static void syn_sent_commit(struct whit_client_tcb *c)
{
    uint8_t flags = seg_flags();
    bool ack = (flags & TCP_ACK) != 0, acceptable = ack && c->sent != 0 && seg_ack() == c->snd_una + 1;
    if (ack && !acceptable) {
        count(WHIT_DROP_TCP_ACK);
        if ((flags & TCP_RST) == 0 && link_way_known(client_number(c)))
            client_segment(c, seg_ack(), TCP_RST, 0, 0);
    } else if ((flags & TCP_RST) != 0) {
        if (acceptable)
            client_fail(c, false);
    } else if (!ack || (flags & TCP_SYN) == 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (whit.rx.mss < MSS_MIN) {
        count(WHIT_DROP_TCP_MSS);
        c->rcv_nxt = seg_seq() + 1;
        client_fail(c, true);
    } else {
        client_established(c);
    }
}

// ----------------------------------------------------------------------------------------------- ESTABLISHED and after

// RFC 5961 section 10: one each 64 ms.
static void client_challenge(struct whit_client_tcb *c)
{
    uint8_t now = (uint8_t)(whit.now_ms >> CHALLENGE_SHIFT);
    if (now == c->challenged)
        return;
    c->challenged = now;
    count(WHIT_COUNT_CHALLENGE_ACK);
    client_owe_ack(c);
}

static void client_grow(struct whit_client_tcb *c, uint16_t acked)
{
    uint32_t more = c->cwnd < c->ssthresh ? (acked < c->mss ? acked : c->mss) : (uint32_t)c->mss * c->mss / c->cwnd + 1;
    c->cwnd = c->cwnd + more < UINT16_MAX ? (uint16_t)(c->cwnd + more) : UINT16_MAX;
}

static void client_progress(struct whit_client_tcb *c, uint16_t acked)
{
    uint16_t octets = acked < c->send_len ? acked : c->send_len;
    if (c->timing && !seq_lt(seg_ack(), c->timed_seq)) {
        client_rtt(c, (uint16_t)(now_ticks() - c->timed_at));
        c->timing = 0;
    }
    c->send_first = (uint16_t)((c->send_first + UINT32_C(0) + octets) % WHIT_CLIENT_SEND);
    c->send_len = (uint16_t)(c->send_len - octets);
    if (acked > octets)
        c->fin = FIN_ACKED;
    c->snd_una += acked;
    c->sent = c->sent > acked ? (uint16_t)(c->sent - acked) : 0;
    c->high = (uint16_t)(c->high - acked);
    c->dupacks = 0;
    c->retries = 0;
    c->resend = c->armed = 0;
    client_grow(c, acked);
    if (c->high != 0)
        client_rto_arm(c);
    if (c->awaited && !c->closed)
        client_await(c);
    client_wake(c);
    client_ready(c);
}

static void client_duplicate(struct whit_client_tcb *c)
{
    if (c->dupacks == 3 || ++c->dupacks != 3)
        return;
    uint16_t half = c->high / 2;
    c->ssthresh = half < 2 * c->mss ? (uint16_t)(2 * c->mss) : half;
    c->cwnd = c->ssthresh;
    c->resend = 1;
    c->timing = 0;
    count(WHIT_COUNT_RETRANSMIT_FAST);
    client_ready(c);
}

// Takes the acknowledgment and the window of an acceptable segment. False: it acknowledges octets that were never sent,
// or is too old.
static bool client_take_ack(struct whit_client_tcb *c)
{
    uint32_t missing = c->snd_una + c->high - seg_ack();
    bool newest = !seq_lt(seg_ack(), c->snd_una) && !seq_lt(seg_seq(), c->rcv_nxt);
    uint16_t wnd = seg_wnd();
    if (frame_judged())
        return true;
    if (missing > c->high + UINT32_C(0xffff))
        return false;
    uint16_t acked = seq_lt(c->snd_una, seg_ack()) ? (uint16_t)(seg_ack() - c->snd_una) : 0;
    if (acked != 0)
        client_progress(c, acked);
    else if (c->high != 0 && seg_ack() == c->snd_una && seg_is_pure() && wnd == c->snd_wnd && wnd != 0)
        client_duplicate(c);
    if (newest && wnd != c->snd_wnd) {
        if (c->snd_wnd == 0) {    // it is not probed any more; the octet of a probe goes again
            if (WHIT_FAST && c->ack_later)
                client_owe_ack(c);
            c->armed = c->probe = c->ack_later = 0;
            c->retries = 0;
            c->sent = 0;
        }
        c->snd_wnd = wnd;
        client_ready(c);
    }
    return true;
}

// Data and FIN of an acceptable segment.
static void client_take_data(struct whit_client_tcb *c)
{
    uint32_t old = c->rcv_nxt - seg_seq();
    bool fin = (seg_flags() & TCP_FIN) != 0;
    if (seq_lt(c->rcv_nxt, seg_seq())) {
        count(WHIT_DROP_TCP_SEQUENCE);
        frame_waits(WHIT_WAITS);    // waits for earlier octets
        if (!frame_repeated())
            client_owe_ack(c);
        return;
    }
    if (WHIT_FAST && c->lent && old == 0 && !fin && !c->closed && !client_data.truncated)
        client_owe_ack_later(c);
    else
        client_owe_ack(c);
    if (c->closed && old < whit.rx.payload_len && !c->peer_fin) {
        client_fail(c, true);    // it is not read (RFC 1122 section 4.2.2.13)
        return;
    }
    bool whole = old + client_data.taken >= whit.rx.payload_len;
    if (client_data.truncated)
        count(WHIT_DROP_NO_BUFFER);    // the peer retransmits them
    c->receive_len = (uint16_t)(c->receive_len + client_data.taken);
    c->rcv_nxt += client_data.taken;
    c->window = c->window > client_data.taken ? (uint16_t)(c->window - client_data.taken) : 0;
    if (client_data.taken != 0 && !c->closed)
        c->awaited = 0;
    if (fin && whole && !c->peer_fin) {
        c->peer_fin = 1;
        c->rcv_nxt++;
        if (!c->closed)
            c->awaited = 0;
    }
    client_wake(c);
}

// Both ends have closed.
static void client_over(struct whit_client_tcb *c)
{
    if (!c->closed || c->fin != FIN_ACKED || !c->peer_fin)
        return;
    if (c->passive) {
        client_free(c);
        return;
    }
    c->state = CLIENT_TCB_TIME_WAIT;
    c->awaited = 0;
    client_arm(c, CLIENT_TIME_WAIT);
}

// RFC 9293 section 3.10.7.4, first check: some of it lies in the receive window, or its edge does.
static bool client_acceptable(const struct whit_client_tcb *c)
{
    uint32_t len = whit.rx.payload_len + (uint32_t)((seg_flags() & TCP_FIN) != 0);
    int32_t old = (int32_t)(c->rcv_nxt - seg_seq());
    return old >= -(int32_t)c->window && (len == 0 ? old <= 0 : old < (int32_t)len);
}

static void client_open_commit(struct whit_client_tcb *c)
{
    uint8_t flags = seg_flags();
    if ((flags & TCP_RST) != 0) {
        if (seg_seq() == c->rcv_nxt)
            client_fail(c, false);
        else if (seg_seq() - c->rcv_nxt <= c->window)
            client_challenge(c);
    } else if ((flags & TCP_SYN) != 0) {
        client_challenge(c);
    } else if (!client_acceptable(c)) {
        count(WHIT_DROP_TCP_SEQUENCE);
        if (seg_is_pure())
            client_challenge(c);
        else
            client_owe_ack(c);
    } else if ((flags & TCP_ACK) == 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (!client_take_ack(c)) {
        count(WHIT_DROP_TCP_ACK);
        client_challenge(c);
    } else {
        link_way_learn(client_number(c));
        if (!seg_is_pure())
            client_take_data(c);
        if (c->state == CLIENT_TCB_OPEN)
            client_over(c);
    }
}

static void time_wait_commit(struct whit_client_tcb *c)
{
    if ((seg_flags() & TCP_RST) != 0) {
        if (seg_seq() == c->rcv_nxt)
            client_free(c);
    } else if (!seg_is_pure() || (seg_flags() & TCP_SYN) != 0) {
        client_challenge(c);    // its FIN again: our acknowledgment was lost
    }
}

void clients_commit(void)
{
    struct whit_client_tcb *c = client_incoming;
    client_incoming = NULL;
    if (c == NULL)
        return;
    switch (c->state) {
    case CLIENT_TCB_SYN_SENT:
        syn_sent_commit(c);
        break;
    case CLIENT_TCB_OPEN:
        client_open_commit(c);
        break;
    default:
        time_wait_commit(c);
        break;
    }
}

// ------------------------------------------------------------------------------------------------ segments out

// Output of connections that the server opened: one segment at a time, in turn.

static uint8_t client_last;    // last one served
static bool client_second;     // the slots came first last time
static bool client_refused;    // the driver has refused a segment: it is tried again

static uint16_t client_free_room(const struct whit_client_tcb *c)
{
    return (uint16_t)(WHIT_CLIENT_RECEIVE - c->receive_len);
}

// By little too, where the handler waits for more than the peer may send.
bool client_window_grows(const struct whit_client_tcb *c)
{
    if (c->window == 0 && c->awaited && client_free_room(c) != 0)
        return true;
    uint16_t grain = WHIT_CLIENT_RECEIVE / 2 < CLIENT_MSS ? WHIT_CLIENT_RECEIVE / 2 : CLIENT_MSS;
    return client_free_room(c) >= c->window + UINT32_C(0) + grain;
}

uint16_t client_window(struct whit_client_tcb *c)
{
    if (client_window_grows(c))
        c->window = client_free_room(c);
    return c->window;
}

bool client_segment(struct whit_client_tcb *c, uint32_t seq, uint8_t flags, uint16_t from, uint16_t len)
{
    const uint8_t *ring = client_send_rings[client_number(c)];
    uint16_t at = (uint16_t)((c->send_first + UINT32_C(0) + from) % WHIT_CLIENT_SEND),
             first = (uint16_t)(WHIT_CLIENT_SEND - at);
    uint8_t source[LINK_ADDRESS], tcp_len = (flags & TCP_SYN) != 0 ? 24 : 20;
    _Alignas(uint32_t) uint8_t head[44];
    uint8_t *tcp = head + 20;
    first = first < len ? first : len;
    store16_be(tcp, c->local_port);
    store16_be(tcp + 2, c->remote_port);
    store32_be(tcp + 4, seq);
    store32_be(tcp + 8, (flags & TCP_ACK) != 0 ? c->rcv_nxt : 0);
    tcp[12] = (uint8_t)(tcp_len << 2);
    tcp[13] = flags;
    store16_be(tcp + 14, (flags & TCP_RST) != 0 ? 0 : client_window(c));
    store32_be(tcp + 16, 0);
    store32_be(tcp + 20, UINT32_C(0x02040000) | CLIENT_MSS);
    store32_be(head + 4, ipv4_parts(c->cut, seq + whit.now_ms));
    ipv4_write(head, c->remote_addr, 6, (uint16_t)(20 + tcp_len + len));
    uint16_t sum = checksum_octets((uint16_t)(6 + tcp_len + len), head + 12, (uint16_t)(8 + tcp_len), false);
    sum = checksum_octets(sum, ring + at, first, false);
    sum = checksum_octets(sum, ring, (uint16_t)(len - first), first & 1);
    store16_be(tcp + 16, (uint16_t)~sum);
    link_source(source);    // a frame may be partly received
    link_way_take(client_number(c));
    bool begun = frame_begin(head, (uint8_t)(20 + tcp_len), len, NULL);
    link_answer_to(source);
    client_refused |= !begun;
    if (!begun)
        return false;
    if (first != 0)
        whit_driver_put(ring + at, first, WHIT_IN_BUFFER);
    if (len != first)
        whit_driver_put(ring, (uint16_t)(len - first), WHIT_IN_BUFFER);
    link_out_end();
    if ((flags & TCP_ACK) != 0)
        c->ack_now = 0;
    if (WHIT_FAST && c->ack_later)
        c->ack_later = c->armed = 0;
    return true;
}

// Requests the address of the next hop, if that is due. False: it is not.
static bool client_output_ask(struct whit_client_tcb *c)
{
    bool asks = c->ask;
    c->ask = 0;
    if (asks)
        link_way_ask(client_number(c), c->remote_addr);
    return asks;
}

static bool client_output_syn(struct whit_client_tcb *c)
{
    if (c->sent != 0)
        return false;
    if (!link_way_known(client_number(c))) {
        if (c->ask)
            client_arm(c, CLIENT_ASK);
        return client_output_ask(c);
    }
    if (!client_segment(c, c->snd_una, TCP_SYN, 0, 0))
        return false;
    c->timing = c->high == 0;
    c->timed_seq = c->snd_una + 1;
    c->timed_at = now_ticks();
    c->sent = c->high = 1;
    client_rto_arm(c);
    return true;
}

// Returns the octets from `from` on, FIN included, that the windows permit. A part of the queued octets is sent only if
// nothing is in flight, or if it is half of the peer's largest window (RFC 9293 section 3.8.6.2.1).
static uint16_t client_may_send(const struct whit_client_tcb *c, uint16_t from)
{
    uint16_t total = client_total(c), window = c->snd_wnd < c->cwnd ? c->snd_wnd : c->cwnd;
    if (from >= total || window <= from)
        return 0;
    uint16_t left = (uint16_t)(total - from), len = (uint16_t)(window - from);
    len = len < left ? len : left;
    len = len < c->mss ? len : c->mss;
    return len == left || len == c->mss || from == 0 || len >= WHIT_CLIENT_SEND / 2 ? len : 0;
}

// Octets [from, from + len) after snd_una, the last of which may be our FIN.
static bool client_send_octets(struct whit_client_tcb *c, uint16_t from, uint16_t len)
{
    uint16_t end = (uint16_t)(from + len), octets_end = end < c->send_len ? end : c->send_len;
    uint8_t flags = TCP_ACK;
    if (octets_end == c->send_len && octets_end > from)
        flags |= TCP_PSH;
    if (end > c->send_len)
        flags |= TCP_FIN;
    if (!client_segment(c, c->snd_una + from, flags, from, octets_end > from ? (uint16_t)(octets_end - from) : 0))
        return false;
    if (end > c->high) {
        if (!c->timing && from >= c->high) {
            c->timing = 1;
            c->timed_seq = c->snd_una + end;
            c->timed_at = now_ticks();
        }
        c->high = end;
    }
    return true;
}

static bool client_output_data(struct whit_client_tcb *c)
{
    uint16_t from = c->resend || c->probe ? 0 : c->sent,
             len = c->probe ? (client_total(c) != 0) : client_may_send(c, from);
    if (len == 0) {
        if (c->high == 0 && client_total(c) != 0 && !c->armed)
            client_rto_arm(c);    // a closed window: it will be probed
        return false;
    }
    if (!client_send_octets(c, from, len))
        return false;
    if (!c->probe && !c->resend)
        c->sent = (uint16_t)(from + len);
    c->probe = c->resend = 0;
    if (!c->armed)
        client_rto_arm(c);
    return true;
}

static bool client_output(struct whit_client_tcb *c)
{
    if (c->rst_due) {
        if (!client_segment(c, c->snd_una + c->high, TCP_RST | TCP_ACK, 0, 0))
            return false;
        c->rst_due = 0;
        if (c->state == CLIENT_TCB_RESET)
            client_free(c);
        return true;
    }
    if (c->ask && c->retries >= 2 && client_output_ask(c))
        return true;
    if (c->state == CLIENT_TCB_SYN_SENT)
        return client_output_syn(c);
    if (c->state == CLIENT_TCB_OPEN && client_output_data(c))
        return true;
    return c->ack_now && client_segment(c, c->snd_una + c->high, TCP_ACK, 0, 0);
}

bool clients_turn(void)
{
    client_second = !client_second;
    return client_second;
}

// True if nothing is due, where this check is cheaper than client_output().
static bool client_rests(const struct whit_client_tcb *c)
{
    bool due = c->ack_now || c->resend || c->probe || c->rst_due || c->ask;
    return WHIT_FAST && c->state == CLIENT_TCB_OPEN && !due && c->sent >= client_total(c);
}

// True: sent. False: nothing more is to be done.
static bool client_alone_output(void)
{
    if (!whit_driver_ready())
        return false;
    client_last = client_number(client_alone);
    if (client_alone->state != CLIENT_TCB_FREE && !client_rests(client_alone) && client_output(client_alone))
        return true;
    client_any = client_refused;
    client_refused = false;
    return false;
}

bool clients_output(void)
{
    if (WHIT_FAST && client_any && client_alone != NULL)
        return client_alone_output();
    for (uint8_t turns = WHIT_CLIENTS; turns != 0 && client_any; turns--) {
        uint8_t next = (uint8_t)((client_last + 1) % CLIENT_PLACES);
        if (client_rests(&client_tcbs[next])) {
            client_last = next;
            continue;
        }
        if (client_tcbs[next].state != CLIENT_TCB_FREE && !whit_driver_ready())
            return false;
        client_last = next;
        if (client_tcbs[next].state != CLIENT_TCB_FREE && client_output(&client_tcbs[client_last]))
            return true;
    }
    client_any = client_refused;
    client_refused = false;
    return false;
}
