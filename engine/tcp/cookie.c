// SPDX-License-Identifier: MIT
// Initial sequence numbers that remember a connection for us (RFC 4987 section 3.6, RFC 6528). An ISS is made of
//   31..16  zeros, parity, and the peer's MSS in chunks, in whose multiples it is told: 9 bits for chunks of 4 to 4 bits for 128
//   15..0   the lower half of the peer's ISN
// scrambled by a keyed hash of address, port and period. So the first octet of a request proves that its sender received our
// SYN-ACK, and brings the MSS along. A segment ahead of it tells how far: it is answered by an acknowledgment, also beyond the window,
// up to 32 KB (RFC 5681 section 4.2, RFC 9293 section 3.10.7.4). A connection that was forgotten acknowledges a larger number; that
// becomes any 32 bits, of which one in some hundreds seems to be such a cookie (told_in_vain() of tcp_stateless.c). A cookie is good for the period of 65.5 s that it was made in and for the next.
//
// The parity keeps the copies of a connection's first request, should they be late, from opening it again: while a
// tag remembers a connection of one parity, a SYN is offered a cookie of the other, and only that one opens.
#include <stddef.h>

#include "connection.h"
#include "../link/segment.h"
#include "../base/keyed_hash.h"
#include "../base/limits.h"
#include "../base/state.h"

#define MSS_UNIT WHIT_CHUNK
#define CODE_BITS (MSS_UNIT == 4 ? 9 : MSS_UNIT == 8 ? 8 : MSS_UNIT == 16 ? 7 : MSS_UNIT == 32 ? 6 : MSS_UNIT == 64 ? 5 : 4)
#define CODE_MASK ((1u << CODE_BITS) - 1)    // as a code, it stands for MSS_MAX
#define CODE_LAST (MSS_MAX / MSS_UNIT)
#define HIGH_MAX (HAS_TAGS ? CODE_MASK << 1 | 1 : CODE_MASK)    // of the upper half: the code, and above it the parity, which tags look at
#define PERIOD_SHIFT 16    // of milliseconds

// Odd, and the inverse of each other modulo 2^32: what is added to a cookie changes all bits of what it was made of.
#define SCRAMBLE UINT32_C(0x9e3779b1)
#define UNSCRAMBLE UINT32_C(0x0e8b2f51)

_Static_assert(CODE_LAST < CODE_MASK, "the largest code stands for MSS_MAX itself");
_Static_assert((uint32_t)(SCRAMBLE * UNSCRAMBLE) == 1, "inverse of each other");

static struct hash cookie_hash(uint8_t age)
{
    return keyed_hash(&whit.rx.pending, hash_use(&whit.rx.pending, (uint8_t)((whit.now_ms >> PERIOD_SHIFT) - age)));
}

uint32_t cookie_make(uint8_t parity)
{
    struct hash hash = cookie_hash(0);
    uint16_t mss = whit.rx.mss, code = mss >= MSS_MAX ? CODE_MASK : mss / MSS_UNIT;
    uint32_t made_of = (uint32_t)(uint16_t)(code | parity << CODE_BITS) << 16 | (uint16_t)seg_seq();
    return (made_of ^ hash.high) * SCRAMBLE + hash.low;
}

#define AHEAD_MAX 0x7fff    // octets: of the peer's ISN only the lower half is known

// high: the upper half of what it is made of.
static bool is_cookie(uint16_t high)
{
    uint16_t code = high & CODE_MASK;
    return high <= HIGH_MAX && (code <= CODE_LAST || code == CODE_MASK);
}

// The segment seems to acknowledge a SYN-ACK of ours. high, isn: what that was made of. True: it does.
static bool match(uint16_t high, uint16_t isn)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t parity = high >> CODE_BITS & 1;
    uint16_t code = high & CODE_MASK, ahead = (uint16_t)((uint16_t)seg_seq() - 1 - isn);
    bool probe = ahead == UINT16_MAX && rx->payload_len <= 1;
    if ((HAS_TAGS && rx->tag != NULL && rx->tag->parity == parity) || (!probe && ahead > AHEAD_MAX))
        return false;
    uint16_t mss8 = (uint16_t)(code * MSS_UNIT / MSS8_UNIT);
    tcb_mss_remembered(&rx->pending, (uint8_t)(code == CODE_MASK ? MSS8_MAX : mss8 < MSS_MIN / MSS8_UNIT ? MSS_MIN / MSS8_UNIT : mss8));
    if (HAS_TAGS)
        rx->pending.parity = parity & 1u;
    octet_expected(&rx->pending, probe ? seg_seq() + 1 : seg_seq() - ahead);
    rx->origin = ahead == 0 ? ORIGIN_COOKIE : ORIGIN_OUT_OF_ORDER;
    return true;
}

void cookie_match(void)
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
