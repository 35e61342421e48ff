// SPDX-License-Identifier: MIT
// Effects of segments without a slot, after judge.c: openings, resets, idle and closing connections. Answers are made
// of the segment's own numbers; only a new slot may be stored.
#include <stddef.h>

#include "internal.h"
#include "../core/called.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../recovery/recovery.h"

static uint32_t cookie_make(uint8_t parity);    // an ISS for the current SYN

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
    else    // data on a SYN are retransmitted
        syn_ack(cookie_make(HAS_TAGS && rx->tag != NULL && !rx->tag->parity));
}

// The peer closes an idle connection. A tag remembers the close for a retransmitted FIN.
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
        count(WHIT_DROP_HANDSHAKE);    // the peer retransmits it
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
    // the one that made room for it took its tag
    if (is_tls(&rx->pending) && rx->origin == ORIGIN_TAG && sealed_idle_of(rx->tag) == NULL) {
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
        stateless_unknown();    // the data will not be read
    else if ((seg_flags() & TCP_FIN) != 0)
        reply(seg_ack(), peer_first ? TCP_FIN | TCP_ACK : TCP_ACK);
}

// True if the peer repeats a segment ahead of a gap for four seconds. A living peer retransmits the missing octets, and
// not those after them: it waits for an acknowledgment of its own numbers. They belong to a forgotten connection, and
// match by chance. One segment is remembered for sixteen seconds: the second in which it came first, and bits of its
// number.
#define TOLD_SECOND 0x400u
static bool told_in_vain(void)
{
    uint16_t now =
        (uint16_t)(((uint16_t)whit.now_ms & (uint16_t)~(TOLD_SECOND - 1)) | ((uint16_t)seg_seq() & (TOLD_SECOND - 1)));
    uint16_t late = (uint16_t)(now - whit.told);
    if ((late & (TOLD_SECOND - 1)) == 0 && late < 16 * TOLD_SECOND)
        return late >= 4 * TOLD_SECOND;
    whit.told = now;
    return false;
}

// Answers a keep-alive probe, data ahead of a gap or beyond the window, or old octets (RFC 9293 section 3.10.7.4).
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
        // the numbers of a slot's frame stay proven
        frame_waits(WHIT_HOLDS_FRAMES && frame_judged() ? WHIT_WAITS : WHIT_AHEAD);
        if (WHIT_HOLDS_FRAMES)
            block_set(&rx->pending);
    }
}

// Handles segments of idle and closing connections.
void stateless_take(void)
{
    if (HAS_TAGS && whit.rx.origin == ORIGIN_CLOSING)
        closing();
    else if (whit.rx.payload_len != 0)
        idle_data();
    else if ((seg_flags() & TCP_FIN) != 0)
        idle_fin();
}

// ------------------------------------------------------------------------------------------------ SYN cookies

// Initial sequence numbers that remember a connection for us (RFC 4987 section 3.6, RFC 6528). An ISS is made of
//   31..16  zeros, parity, and the peer's MSS in chunks: 9 bits for chunks of 4 to 4 bits for 128
//   15..0   the lower half of the peer's ISN
// scrambled by a keyed hash of address, port and period. The first octet of a request therefore proves that its sender
// received our SYN-ACK, and brings the MSS along. A segment ahead of it gives its distance. It is answered by an
// acknowledgment, also beyond the window, up to 32 KB (RFC 5681 section 4.2, RFC 9293 section 3.10.7.4). A forgotten
// connection acknowledges a larger number. That becomes any 32 bits, of which one in some hundreds looks like such a
// cookie (told_in_vain()). A cookie is valid in its period of 65.5 s and in the next one.
//
// The parity prevents late copies of a connection's first request from opening it again. While a tag remembers a
// connection of one parity, a SYN is offered a cookie of the other, and only that one opens.

#define MSS_UNIT WHIT_CHUNK
#define CODE_BITS \
    (MSS_UNIT == 4 ? 9 : MSS_UNIT == 8 ? 8 : MSS_UNIT == 16 ? 7 : MSS_UNIT == 32 ? 6 : MSS_UNIT == 64 ? 5 : 4)
#define CODE_MASK ((1u << CODE_BITS) - 1)    // as a code, it stands for MSS_MAX
#define CODE_LAST (MSS_MAX / MSS_UNIT)
// upper half: the code, and above it the parity, which tags look at
#define HIGH_MAX (HAS_TAGS ? CODE_MASK << 1 | 1 : CODE_MASK)
#define PERIOD_SHIFT 16    // shift of milliseconds

// Odd, and the inverse of each other modulo 2^32: the added number changes all bits.
#define SCRAMBLE UINT32_C(0x9e3779b1)
#define UNSCRAMBLE UINT32_C(0x0e8b2f51)

_Static_assert(CODE_LAST < CODE_MASK, "the largest code stands for MSS_MAX itself");
_Static_assert((uint32_t)(SCRAMBLE * UNSCRAMBLE) == 1, "inverse of each other");

static struct hash cookie_hash(uint8_t age)
{
    return keyed_hash(&whit.rx.pending, hash_use(&whit.rx.pending, (uint8_t)((whit.now_ms >> PERIOD_SHIFT) - age)));
}

OWN_FRAME static uint32_t cookie_make(uint8_t parity)
{
    struct hash hash = cookie_hash(0);
    uint16_t mss = whit.rx.mss, code = mss >= MSS_MAX ? CODE_MASK : mss / MSS_UNIT;
    uint32_t made_of = (uint32_t)(uint16_t)(code | parity << CODE_BITS) << 16 | (uint16_t)seg_seq();
    return (made_of ^ hash.high) * SCRAMBLE + hash.low;
}

#define AHEAD_MAX 0x7fff    // octets: of the peer's ISN only the lower half is known

// high: the upper half of its source.
static bool is_cookie(uint16_t high)
{
    uint16_t code = high & CODE_MASK;
    return high <= HIGH_MAX && (code <= CODE_LAST || code == CODE_MASK);
}

// True if the segment acknowledges a SYN-ACK of ours. high, isn: source of that.
static bool match(uint16_t high, uint16_t isn)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t parity = high >> CODE_BITS & 1;
    uint16_t code = high & CODE_MASK, ahead = (uint16_t)((uint16_t)seg_seq() - 1 - isn);
    bool probe = ahead == UINT16_MAX && rx->payload_len <= 1;
    if ((HAS_TAGS && rx->tag != NULL && rx->tag->parity == parity) || (!probe && ahead > AHEAD_MAX))
        return false;
    uint16_t mss8 = (uint16_t)(code * MSS_UNIT / MSS8_UNIT);
    tcb_mss_remembered(&rx->pending, (uint8_t)(code == CODE_MASK            ? MSS8_MAX
                                               : mss8 < MSS_MIN / MSS8_UNIT ? MSS_MIN / MSS8_UNIT
                                                                            : mss8));
    if (HAS_TAGS)
        rx->pending.parity = parity & 1u;
    octet_expected(&rx->pending, probe ? seg_seq() + 1 : seg_seq() - ahead);
    rx->origin = ahead == 0 ? ORIGIN_COOKIE : ORIGIN_OUT_OF_ORDER;
    return true;
}

OWN_FRAME void cookie_match(void)
{
    struct whit_rx *rx = &whit.rx;
    for (uint8_t age = 0; age <= 1; age++) {
        struct hash hash = cookie_hash(age);
        uint32_t product = (seg_ack() - 1 - hash.low) * UNSCRAMBLE, made_of = product ^ hash.high;
        if (is_cookie((uint16_t)(made_of >> 16)) && match((uint16_t)(made_of >> 16), (uint16_t)made_of))
            return;
        if ((!HAS_TAGS || rx->tag == NULL) && is_cookie((uint16_t)(((product - UNSCRAMBLE) ^ hash.high) >> 16)))
            rx->origin = ORIGIN_WRONG_SEQ;    // it acknowledges a FIN too (idle_fin())
    }
}
