// SPDX-License-Identifier: MIT
// What segments do for which there is no slot, as tcp_judge.c says: openings, resets, idle and closing connections.
// Answers are made of the segment's own numbers; the only thing that may be stored is a new slot.
#include <stddef.h>

#include "connection.h"
#include "../link/segment.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/rx.h"
#include "../recovery/recovery.h"

// Acknowledges all of the segment.
static void reply(uint32_t seq, uint8_t flags)
{
    tcp_answer(seq, seg_seq() + seg_len() + ((seg_flags() & TCP_SYN) != 0), flags);
}

void tcp_refuse(void)
{
    if ((seg_flags() & TCP_ACK) != 0)
        reply(seg_ack(), TCP_RST);
    else
        reply(0, TCP_RST | TCP_ACK);
}

void stateless_unknown(void)
{
    count(WHIT_DROP_TCP_UNKNOWN);
    if (!HAS_TAGS && seg_flags() == (TCP_FIN | TCP_ACK) && whit.rx.payload_len == 0)
        reply(seg_ack(), TCP_ACK);    // probably after our own FIN, of which nothing is remembered
    else
        tcp_refuse();
}

static void syn_ack(uint32_t iss)
{
    tcp_answer(iss, seg_seq() + 1, TCP_SYN | TCP_ACK);
    if (WHIT_HOLDS_FRAMES && WHIT_SACK)
        block_permits(sack_permitted());
    if (WHIT_REPEATS != 0)
        repeats_syn_ack(iss);
}

void stateless_syn(void)
{
    struct whit_rx *rx = &whit.rx;
    if ((seg_flags() & TCP_ACK) != 0)
        rx->origin == ORIGIN_OUT_OF_ORDER ? stateless_tell() : stateless_unknown();    // RFC 5961 section 4.2
    else if ((seg_flags() & TCP_FIN) != 0)
        count(WHIT_DROP_TCP_HEADER);
    else if (rx->mss < MSS_MIN)
        count(WHIT_DROP_TCP_MSS);
    else    // data on a SYN come again
        syn_ack(cookie_make(HAS_TAGS && rx->tag != NULL && !rx->tag->parity));
}

// The peer closes a connection on which nothing happens. A tag remembers the close for a FIN that comes again.
static void idle_fin(void)
{
    if (HAS_TAGS && whit.rx.origin == ORIGIN_TAG)
        tag_close(whit.rx.tag, TAG_PEER_FIRST);
    reply(seg_ack(), TCP_FIN | TCP_ACK);
}

static void idle_data(void)
{
    struct whit_rx *rx = &whit.rx;
    if (is_tls(&rx->pending) && rx->origin == ORIGIN_COOKIE && sealed_crowded(rx->pending.remote_addr)) {
        count(WHIT_DROP_HANDSHAKE);    // it comes again
        held_wants(WHIT_NO_TURN);
        return;
    }
    if (http_starved(&rx->pending)) {
        connection_starved();
        return;
    }
    if (LEAVES_SLOTS && rx->origin == ORIGIN_TAG && !rx->tag->turned_away && connection_gives_way(1)) {
        rx->tag->turned_away = 1;
        return;
    }
    if (is_tls(&rx->pending) && rx->origin == ORIGIN_TAG && sealed_idle_of(rx->tag) == NULL) {    // the one that made room for it took its tag
        stateless_unknown();
        return;
    }
    rx_belongs_to(rx, connection_take(&rx->pending));
    if (rx->slot == NULL) {
        whit.left_to_do = LEFT_SLOT;
        return;
    }
    if (HAS_TAGS && rx->tag != NULL && !(is_tls(&rx->pending) && rx->origin == ORIGIN_TAG))
        rx->tag->age = 0;    // or that of an earlier connection
    whit.left_to_do = LEFT_REQUEST;
}

// Our FIN was sent, and this is the octet after which its acknowledgment was expected.
static void closing(void)
{
    bool peer_first = whit.rx.pending.mss8 == TAG_PEER_FIRST;
    if (whit.rx.payload_len != 0 && !peer_first)
        stateless_unknown();    // data that nobody will read
    else if ((seg_flags() & TCP_FIN) != 0)
        reply(seg_ack(), peer_first ? TCP_FIN | TCP_ACK : TCP_ACK);
}

// A living peer sends what is missing again, and not what it sent ahead of that: one that repeats this for four seconds waits for an
// acknowledgment of its own numbers. They are those of a connection that was forgotten, and seem to be others by chance. One
// segment is remembered for sixteen seconds: the second in which it came first, and bits of its number.
#define TOLD_SECOND 0x400u
static bool told_in_vain(void)
{
    uint16_t now = (uint16_t)(((uint16_t)whit.now_ms & (uint16_t)~(TOLD_SECOND - 1)) | ((uint16_t)seg_seq() & (TOLD_SECOND - 1)));
    uint16_t late = (uint16_t)(now - whit.told);
    if ((late & (TOLD_SECOND - 1)) == 0 && late < 16 * TOLD_SECOND)
        return late >= 4 * TOLD_SECOND;
    whit.told = now;
    return false;
}

// A keep-alive probe, data ahead of a gap or beyond the window, or what came before (RFC 9293 section 3.10.7.4).
void stateless_tell(void)
{
    struct whit_rx *rx = &whit.rx;
    bool ahead = (rx->payload_len > 1 || (seg_flags() & TCP_FIN) != 0) && seq_lt(rx->pending.rcv_nxt, seg_seq());
    if (rx->payload_len > 1)
        count(WHIT_DROP_TCP_SEQUENCE);
    if (!frame_repeated() && ahead && told_in_vain()) {
        tcp_refuse();
        return;
    }
    if (!frame_repeated())
        tcp_answer(seg_ack(), rx->pending.rcv_nxt, TCP_ACK);
    if (WHIT_KEEPS_FRAMES && ahead && seg_seq() - rx->pending.rcv_nxt < WHIT_RCV_WND) {
        frame_waits(WHIT_HOLDS_FRAMES && frame_judged() ? WHIT_WAITS : WHIT_AHEAD);    // the numbers of a slot's frame stay proven
        if (WHIT_HOLDS_FRAMES)
            block_set(&rx->pending);
    }
}

// Of idle and closing connections.
void stateless_take(void)
{
    if (HAS_TAGS && whit.rx.origin == ORIGIN_CLOSING)
        closing();
    else if (whit.rx.payload_len != 0)
        idle_data();
    else if ((seg_flags() & TCP_FIN) != 0)
        idle_fin();
}
