// SPDX-License-Identifier: MIT
// Segments of connections that the server opened (RFC 9293 sections 3.10.7.3 and .4, RFC 5961). Octets go to the free end of the
// receive ring as they come, and count when the checksum holds.
#include <string.h>

#include "clients.h"
#include "client_tcb.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../link/link.h"
#include "../link/segment.h"
#include "whit/engine.h"

// The frame being received, of client_incoming.
static struct {
    uint16_t skip;       // octets that are passed over: old ones, or such as nobody takes
    uint16_t taken;      // octets in the ring that do not count yet
    bool truncated;      // octets found no room: none after them is taken
} client_data;

bool clients_find(void)
{
    const struct whit_rx *rx = &whit.rx;
    uint16_t local_port = load16_be(rx->head + 2);
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        struct whit_client_tcb *c = &client_tcbs[i];
        bool lives = c->state >= CLIENT_TCB_SYN_SENT && c->state <= CLIENT_TCB_TIME_WAIT;
        if (c->local_port != local_port || !lives || c->remote_port != rx->pending.remote_port || c->remote_addr != rx->pending.remote_addr)
            continue;
        uint32_t old = c->rcv_nxt - seg_seq();    // octets of the data; more than there are when they are ahead of a gap
        bool reads = c->state == CLIENT_TCB_OPEN && !c->closed && !c->peer_fin && (seg_flags() & (TCP_SYN | TCP_RST)) == 0;
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
    uint16_t at = (uint16_t)((c->receive_first + UINT32_C(0) + c->receive_len + client_data.taken) % WHIT_CLIENT_RECEIVE);
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

// A SYN without ACK is one of a simultaneous opening, which is refused: it meets silence, and its sender our SYN.
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

// ------------------------------------------------------------------------------------------------ ESTABLISHED and after

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

// The acknowledgment and the window of an acceptable segment. False: it acknowledges what was never sent, or is ages old.
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
        frame_waits(WHIT_WAITS);    // for what comes before
        if (!frame_repeated())
            client_owe_ack(c);
        return;
    }
    if (WHIT_FAST && c->lent && old == 0 && !fin && !c->closed && !client_data.truncated)
        client_owe_ack_later(c);
    else
        client_owe_ack(c);
    if (c->closed && old < whit.rx.payload_len && !c->peer_fin) {
        client_fail(c, true);    // nobody reads it (RFC 1122 section 4.2.2.13)
        return;
    }
    bool whole = old + client_data.taken >= whit.rx.payload_len;
    if (client_data.truncated)
        count(WHIT_DROP_NO_BUFFER);    // they come again
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
    case CLIENT_TCB_SYN_SENT: syn_sent_commit(c); break;
    case CLIENT_TCB_OPEN: client_open_commit(c); break;
    default: time_wait_commit(c); break;
    }
}
