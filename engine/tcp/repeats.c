// SPDX-License-Identifier: MIT
// What is sent again without a slot, where the port has memory for it: SYN-ACKs (RFC 9293 section 3.8.1), for of two that are lost,
// one costs the client its own timer, a second; and RSTs, for a client that waits for the rest of a response says nothing that
// would draw another. A place here is taken by whoever comes later. Without places the client's own timers have to do.
//
// The first repetition comes after 252 ms, each next after twice the time. RFC 6298 begins with 1 s, but the client's SYN comes
// again then anyway. Where a round trip is longer, a peer that has answered gets one SYN-ACK twice, and acknowledges it.
#include <string.h>

#include "connection.h"
#include "../link/segment.h"
#include "tcp.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/link.h"
#include "../recovery/recovery.h"
#include "whit/driver.h"

#define REPEAT_PLACES (WHIT_REPEATS != 0 ? WHIT_REPEATS : 1)    // an image without them does not refer to it
#define FIRST TICKS(252)
#define SYN_ACKS 2
#define RSTS 5             // the last one 8 s after the first

static struct repeated {
    uint32_t addr, seq, ack;
    uint16_t port, due;    // tick
    uint16_t pause;        // ticks until the one after the next
    uint16_t flight;       // of a RST: octets from `seq` on that the peer has perhaps
    uint8_t source[LINK_ADDRESS];
    uint8_t flags;         // and REPEATED_TLS
    uint8_t left;          // repetitions; 0: free
    bool sack;             // permitted, of a SYN-ACK
} repeated[REPEAT_PLACES];
#define REPEATED_TLS 0x80    // of `flags`: it is of the HTTPS port
static uint8_t repeated_next, repeated_cnt;    // the place that is taken next; those that are not free

void repeats_init(void)
{
    memset(repeated, 0, sizeof repeated);
    repeated_next = repeated_cnt = 0;
}

// The place that is not free and was taken last before number `at`, where there is one.
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

static struct repeated *repeated_put(const struct whit_tcb *peer, uint32_t seq, uint32_t ack, uint8_t flags, uint8_t times)
{
    struct repeated *place = repeated_of(peer);
    if (place == NULL) {
        place = &repeated[repeated_next];
        repeated_next = (uint8_t)((repeated_next + 1) % REPEAT_PLACES);
        repeated_cnt = (uint8_t)(repeated_cnt + (place->left == 0));
    }
    *place = (struct repeated){
        .addr = peer->remote_addr, .seq = seq, .ack = ack, .port = peer->remote_port, .due = (uint16_t)(now_ticks() + FIRST),
        .pause = 2 * FIRST, .flags = is_tls(peer) ? flags | REPEATED_TLS : flags, .left = times, .sack = WHIT_SACK && (flags & TCP_SYN) != 0 && sack_permitted(),
    };
    return place;
}

void repeats_syn_ack(uint32_t iss)
{
    link_source(repeated_put(&whit.rx.pending, iss, seg_seq() + 1, TCP_SYN | TCP_ACK, SYN_ACKS)->source);
}

void repeats_rst(const struct whit_tcb *tcb)
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
    tcp_answer(place->seq, place->ack, flags);
    tcp_answer_now();
    if (place->flight != 0) {    // who stands between the two answers this one by a challenge ACK (RFC 5961 section 3.2)
        tcp_answer(place->seq + place->flight, place->ack, flags);
        tcp_answer_now();
    }
    link_answer_to(source);
    count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
}

void repeats_due(void)
{
    bool between_frames = whit.rx.have == 0 && whit.rx.stage <= RX_IP_HEAD;
    uint8_t at = repeated_next;
    for (uint8_t cnt = repeated_cnt; cnt != 0; cnt--) {
        struct repeated *place = repeated_before(&at);
        if (tick_lt(now_ticks(), place->due))
            continue;
        place->due = (uint16_t)(now_ticks() + place->pause);
        place->pause = (uint16_t)(2 * place->pause);
        if (between_frames && whit_driver_ready())
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
