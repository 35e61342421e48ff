// SPDX-License-Identifier: MIT
// The SYN-ACKs of large builds are repeated (RFC 9293 section 3.8.1): of two that are lost, one costs the client its own timer, a
// second. What a connection needs stays in its cookie: a place here is taken by whoever comes later, and then the client's timer
// has to do, as on small builds.
//
// The first repetition comes after 252 ms and the second 504 ms later. RFC 6298 begins with 1 s, but the client's SYN comes again then
// anyway. Where a round trip is longer, a peer that has answered gets one SYN-ACK twice, and acknowledges it.
#include <string.h>

#include "connection.h"
#include "segment.h"
#include "tcp.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/link.h"
#include "whit/driver.h"

#define HALF_OPEN_PLACES 64
#define HALF_OPEN_REPEATS 2
#define HALF_OPEN_FIRST TICKS(252)

static struct half_open {
    uint32_t addr, iss, rcv_nxt;
    uint16_t port, due;    // tick
    uint8_t source[LINK_ADDRESS];
    uint8_t left;          // repetitions; 0: free
} half_open[HALF_OPEN_PLACES];
static uint8_t half_open_next, half_open_cnt;    // the place that is taken next; those that are not free

void handshake_init(void)
{
    memset(half_open, 0, sizeof half_open);
    half_open_next = half_open_cnt = 0;
}

static struct half_open *half_open_of(const struct whit_tcb *peer)
{
    for (uint8_t i = 0; i < HALF_OPEN_PLACES && half_open_cnt != 0; i++)
        if (half_open[i].left != 0 && half_open[i].port == peer->remote_port && half_open[i].addr == peer->remote_addr)
            return &half_open[i];
    return NULL;
}

void handshake_begun(uint32_t iss)
{
    const struct whit_rx *rx = &whit.rx;
    struct half_open *place = half_open_of(&rx->pending);
    if (place == NULL) {
        place = &half_open[half_open_next];
        half_open_next = (uint8_t)((half_open_next + 1) % HALF_OPEN_PLACES);
        half_open_cnt = (uint8_t)(half_open_cnt + (place->left == 0));
    }
    *place = (struct half_open){
        .addr = rx->pending.remote_addr, .iss = iss, .rcv_nxt = seg_seq() + 1, .port = rx->pending.remote_port,
        .due = (uint16_t)(now_ticks() + HALF_OPEN_FIRST), .left = HALF_OPEN_REPEATS,
    };
    link_source(place->source);
}

static void half_open_free(struct half_open *place)
{
    place->left = 0;
    half_open_cnt--;
}

void handshake_over(void)
{
    struct half_open *place = half_open_of(&whit.rx.pending);
    if (place != NULL)
        half_open_free(place);
}

// It goes where the SYN came from, as if that were at hand: whit.rx is free between two frames.
static void half_open_repeat(const struct half_open *place)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t source[LINK_ADDRESS];
    link_source(source);
    link_answer_to(place->source);
    rx->pending.remote_addr = place->addr;
    rx->pending.remote_port = place->port;
    store16_be(rx->head + 2, WHIT_TCP_PORT);
    tcp_answer(place->iss, place->rcv_nxt, TCP_SYN | TCP_ACK);
    link_answer_to(source);
    count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
}

void handshake_due(void)
{
    bool between_frames = whit.rx.have == 0 && whit.rx.stage <= RX_IP_HEAD;
    for (uint8_t i = 0; i < HALF_OPEN_PLACES && half_open_cnt != 0; i++) {
        struct half_open *place = &half_open[i];
        if (place->left == 0 || tick_lt(now_ticks(), place->due))
            continue;
        place->due = (uint16_t)(now_ticks() + 2 * HALF_OPEN_FIRST);
        if (between_frames && whit_driver_ready())
            half_open_repeat(place);
        if (--place->left == 0)
            half_open_cnt--;
    }
}

uint16_t handshake_next(void)
{
    uint16_t now = now_ticks(), next = TICKS_IDLE;
    for (uint8_t i = 0; i < HALF_OPEN_PLACES && half_open_cnt != 0; i++) {
        uint16_t left = tick_lt(now, half_open[i].due) ? (uint16_t)(half_open[i].due - now) : 0;
        if (half_open[i].left != 0 && left < next)
            next = left;
    }
    return next;
}
