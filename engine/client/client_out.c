// SPDX-License-Identifier: MIT
// Segments of connections that the server opened: what is due is sent one segment at a time, in turn.
#include <stddef.h>

#include "clients.h"
#include "client_tcb.h"
#include "../base/checksum.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../link/link.h"
#include "../link/segment.h"
#include "whit/driver.h"

static uint8_t client_last;    // that was served last
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
    uint16_t at = (uint16_t)((c->send_first + UINT32_C(0) + from) % WHIT_CLIENT_SEND), first = (uint16_t)(WHIT_CLIENT_SEND - at);
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
    link_source(source);    // of the frame that is perhaps half in
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

// Asks for the way there, where that is due. False: it is not.
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

// Octets from `from` on, FIN included, that the windows let go; a part of what there is only when nothing is in flight, or when it is
// half of what the peer ever takes (RFC 9293 section 3.8.6.2.1).
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
    uint16_t from = c->resend || c->probe ? 0 : c->sent, len = c->probe ? (client_total(c) != 0) : client_may_send(c, from);
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

// Where that is cheaper than to ask client_output(): nothing is due.
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
