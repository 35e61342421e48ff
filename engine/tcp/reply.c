// SPDX-License-Identifier: MIT
// Segments without data: acknowledgments, answers to segments without a slot, resets.
#include <string.h>

#include "internal.h"
#include "tcp.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../recovery/recovery.h"
#include "../tls/tls.h"
#include "whit/driver.h"

static void repeats_rst(const struct whit_tcb *tcb);    // its peer was sent a RST

bool tcp_empty(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags)
{
    bool begun = segment_begin(tcb, seq, flags, 0, 0);
    if (begun)
        link_out_end();
    return begun;
}

void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags)
{
    whit.rx.pending.snd_una = seq;
    whit.rx.pending.rcv_nxt = ack;
    whit.left_to_do = flags;
}

void tcp_answer_now(void)
{
    tcp_empty(&whit.rx.pending, whit.rx.pending.snd_una, whit.left_to_do);
    whit.left_to_do = 0;
}

void connection_sent(struct whit_tcb *tcb, uint16_t len)
{
    octets_acknowledged(tcb, len);
}

void tcp_reset(const struct whit_tcb *tcb)
{
    // The peer's position: the end of the octets sent. It is their beginning if they seem to be lost, or were a probe
    // without room (RFC 5961 section 3).
    bool there = tcb->state == TCB_RESPONSE && tcb->response.retries == 0 && tcb->response.mode != MODE_RESEND;
    uint16_t flight = there ? tcb->response.flight : 0;
    tcp_empty(tcb, tcb->snd_una + flight, TCP_RST | TCP_ACK);
    if (WHIT_REPEATS != 0)
        repeats_rst(tcb);
}

// ------------------------------------------------------------------------------------------- sent again without a slot

// Retransmission without a slot, in ports with memory for it. SYN-ACKs (RFC 9293 section 3.8.1): of two losses, one
// costs the client its own timer, a second. RSTs: a client that waits for a response sends nothing that would draw
// another RST. A later segment may take any place here. Without places only the client's own timers work. FINs of idle
// connections (idle.c) take free places, and have them until the peer has acknowledged the FIN.
//
// The first retransmission comes after 252 ms, each next one after twice the time. RFC 6298 begins with 1 s, but the
// client retransmits its SYN then anyway. If the round trip is longer, a peer that has answered gets one SYN-ACK twice,
// and acknowledges it.

#define LAST_MAX (WHIT_TLS && CLOSES_IDLE ? TLS_CLOSE_LEN : 1)    // octets that a FIN comes behind
#define FIRST TICKS(252)
#define SYN_ACKS 2
#define RSTS 5    // the last one 8 s after the first
#define FINS 6    // the first one included

static struct repeated {
    uint32_t addr, seq, ack;
    uint16_t port, due;    // tick
    uint16_t pause;        // ticks until the one after the next
    uint16_t flight;       // RST: octets from `seq` on that the peer may have
    uint8_t source[LINK_ADDRESS];
    uint8_t flags;       // and REPEATED_TLS
    uint8_t left;        // repetitions; 0: free
    bool sack;           // permitted, of a SYN-ACK
    uint8_t last_len;    // FIN: octets before it
    uint8_t last[LAST_MAX];
} repeated[REPEAT_PLACES];
#define REPEATED_TLS 0x80                      // flag of the HTTPS port
static uint8_t repeated_next, repeated_cnt;    // the place that is taken next; places that are not free

void repeats_init(void)
{
    memset(repeated, 0, sizeof repeated);
    repeated_next = repeated_cnt = 0;
}

// Finds the last place before number `at` that is not free.
static struct repeated *repeated_before(uint8_t *at)
{
    do
        *at = (uint8_t)((*at == 0 ? REPEAT_PLACES : *at) - 1);
    while (repeated[*at].left == 0);
    return &repeated[*at];
}

static struct repeated *repeated_of(const struct whit_tcb *peer)
{
    uint8_t at = repeated_next;
    for (uint8_t cnt = repeated_cnt; cnt != 0; cnt--) {
        struct repeated *place = repeated_before(&at);
        if (place->port == peer->remote_port && place->addr == peer->remote_addr &&
            (!WHIT_TLS || ((place->flags & REPEATED_TLS) != 0) == is_tls(peer)))
            return place;
    }
    return NULL;
}

static struct repeated *repeated_put(const struct whit_tcb *peer, uint32_t seq, uint32_t ack, uint8_t flags,
                                     uint8_t times)
{
    struct repeated *place = repeated_of(peer);
    if (place == NULL) {
        place = &repeated[repeated_next];
        repeated_next = (uint8_t)((repeated_next + 1) % REPEAT_PLACES);
        repeated_cnt = (uint8_t)(repeated_cnt + (place->left == 0));
    }
    *place = (struct repeated){
        .addr = peer->remote_addr,
        .seq = seq,
        .ack = ack,
        .port = peer->remote_port,
        .due = (uint16_t)(now_ticks() + FIRST),
        .pause = 2 * FIRST,
        .flags = is_tls(peer) ? flags | REPEATED_TLS : flags,
        .left = times,
        .sack = WHIT_SACK && (flags & TCP_SYN) != 0 && sack_permitted(),
    };
    return place;
}

void repeats_syn_ack(uint32_t iss)
{
    link_source(repeated_put(&whit.rx.pending, iss, seg_seq() + 1, TCP_SYN | TCP_ACK, SYN_ACKS)->source);
}

static void repeats_rst(const struct whit_tcb *tcb)
{
    struct repeated *place = repeated_put(tcb, tcb->snd_una, tcb->rcv_nxt, TCP_RST | TCP_ACK, RSTS);
    place->flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    link_known(tcb, place->source);
}

void repeats_refused(void)
{
    const struct whit_tcb *tcb = &whit.rx.pending;
    link_source(repeated_put(tcb, tcb->snd_una, tcb->rcv_nxt, TCP_RST | TCP_ACK, RSTS)->source);
}

static void repeated_free(struct repeated *place)
{
    place->left = 0;
    repeated_cnt--;
}

void repeats_over(void)
{
    struct repeated *place = repeated_of(&whit.rx.pending);
    if (place != NULL)
        repeated_free(place);
}

// Sends a FIN, with the octets before it.
static void repeat_fin(const struct repeated *place)
{
    struct whit_tcb *peer = &whit.rx.pending;
    uint8_t len = WHIT_TLS ? place->last_len : 0, flags = TCP_FIN | TCP_ACK | (len != 0 ? TCP_PSH : 0);
    octet_expected(peer, place->ack);
    if (!segment_begin(peer, place->seq, flags, len, len != 0 ? checksum_octets(0, place->last, len, false) : 0))
        return;
    if (len != 0)
        whit_driver_put(place->last, len, WHIT_IN_RAM);
    link_out_end();
}

// It goes where the peer was, as if a frame of it were at hand: whit.rx is free between two frames.
static void repeat(const struct repeated *place)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t source[LINK_ADDRESS];
    link_source(source);
    link_answer_to(place->source);
    rx->pending.remote_addr = place->addr;
    rx->pending.remote_port = place->port;
    set_tls(&rx->pending, WHIT_TLS && (place->flags & REPEATED_TLS) != 0);
    store16_be(rx->head + 2, port_of(&rx->pending));
    if (WHIT_SACK)
        sack_permit(place->sack);
    uint8_t flags = WHIT_TLS ? place->flags & (uint8_t)~REPEATED_TLS : place->flags;
    if (CLOSES_IDLE && (flags & TCP_FIN) != 0) {
        repeat_fin(place);
        link_answer_to(source);
        if (place->left < FINS)
            count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
        return;
    }
    tcp_answer(place->seq, place->ack, flags);
    tcp_answer_now();
    // a middlebox answers this by a challenge ACK (RFC 5961 section 3.2)
    if (place->flight != 0) {
        tcp_answer(place->seq + place->flight, place->ack, flags);
        tcp_answer_now();
    }
    link_answer_to(source);
    count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
}

static bool can_repeat(void)
{
    return whit.rx.have == 0 && whit.rx.stage <= RX_IP_HEAD && whit_driver_ready();
}

bool repeats_take_fin(void)
{
    return repeated_cnt < REPEAT_PLACES || can_repeat();
}

void repeats_fin(const struct whit_tcb *peer, const uint8_t *source, const uint8_t *last, uint8_t last_len)
{
    struct repeated alone, *place = &alone;
    bool kept = repeated_cnt < REPEAT_PLACES;
    while (kept && repeated[repeated_next].left != 0)
        repeated_next = (uint8_t)((repeated_next + 1) % REPEAT_PLACES);
    if (kept)
        place = repeated_put(peer, peer->snd_una, peer->rcv_nxt, TCP_FIN | TCP_ACK, FINS);
    else
        alone = (struct repeated){.addr = peer->remote_addr,
                                  .port = peer->remote_port,
                                  .seq = peer->snd_una,
                                  .ack = peer->rcv_nxt,
                                  .flags = TCP_FIN | TCP_ACK | (is_tls(peer) ? REPEATED_TLS : 0),
                                  .left = FINS};
    memcpy(place->source, source, LINK_ADDRESS);
    if (WHIT_TLS && last_len != 0) {
        place->last_len = last_len;
        memcpy(place->last, last, last_len);
    }
    if (kept) {
        place->due = now_ticks();
        place->pause = FIRST;
    } else {
        repeat(place);
    }
}

bool repeats_closing(void)
{
    const struct whit_rx *rx = &whit.rx;
    struct repeated *place = repeated_of(&rx->pending);
    if (place == NULL || (place->flags & TCP_FIN) == 0 || seg_seq() - place->ack > 1)    // 1: behind its own FIN
        return false;
    uint32_t end = place->seq + place->last_len + 1;
    if (end - seg_ack() > place->last_len + 1u)
        return false;
    if (rx->payload_len != 0) {
        place->due = now_ticks();
        count(WHIT_DROP_TCP_UNKNOWN);
        tcp_answer(end, 0, TCP_RST);
        return true;
    }
    if ((seg_flags() & TCP_FIN) != 0)
        tcp_answer(end, seg_seq() + 1, TCP_ACK);
    if (seg_ack() == end)
        repeated_free(place);
    return true;
}

void repeats_due(void)
{
    uint8_t at = repeated_next;
    for (uint8_t cnt = repeated_cnt; cnt != 0; cnt--) {
        struct repeated *place = repeated_before(&at);
        if (tick_lt(now_ticks(), place->due))
            continue;
        place->due = (uint16_t)(now_ticks() + place->pause);
        place->pause = (uint16_t)(2 * place->pause);
        if (can_repeat())
            repeat(place);
        if (--place->left == 0)
            repeated_cnt--;
    }
}

uint16_t repeats_next(void)
{
    uint16_t now = now_ticks(), next = TICKS_IDLE;
    uint8_t at = repeated_next;
    for (uint8_t cnt = repeated_cnt; cnt != 0; cnt--) {
        const struct repeated *place = repeated_before(&at);
        uint16_t left = tick_lt(now, place->due) ? (uint16_t)(place->due - now) : 0;
        if (left < next)
            next = left;
    }
    return next;
}
