// SPDX-License-Identifier: MIT
// Initial sequence numbers that remember a connection for us (RFC 4987 section 3.6, RFC 6528). Our ISS is a keyed hash of
// address, port and period, to which are added (exclusive or)
//   31..16  the peer's ISN, folded to 16 bits: who is not at the first octet does not come through
//    B-1..0 MSS and parity
// so the first octet of a request proves that its sender received our SYN-ACK, and brings the MSS along. The lower
// half alone tells a segment that overtook the first one from one that is nobody's. B follows from the chunk, in
// whose multiples an MSS is told: 10 bits for chunks of 4 to 5 bits for 128, the parity's included. A cookie is good for the period of
// 65.5 s that it was made in and for the next.
//
// The parity keeps the copies of a connection's first request, should they be late, from opening it again: while a
// tag remembers a connection of one parity, a SYN is offered a cookie of the other, and only that one opens.
#include <stddef.h>

#include "connection.h"
#include "segment.h"
#include "../base/keyed_hash.h"
#include "../base/limits.h"
#include "../base/state.h"

#define MSS_UNIT WHIT_CHUNK
#define CODE_BITS (MSS_UNIT == 4 ? 9 : MSS_UNIT == 8 ? 8 : MSS_UNIT == 16 ? 7 : MSS_UNIT == 32 ? 6 : MSS_UNIT == 64 ? 5 : 4)
#define CODE_MASK ((1u << CODE_BITS) - 1)
#define LOW_MASK (CODE_MASK << 1 | 1)    // the code, and above it the parity
#define PERIOD_SHIFT 16    // of milliseconds

#define CODE_LAST (MSS_MAX / MSS_UNIT)

_Static_assert(CODE_LAST < CODE_MASK, "the largest code stands for MSS_MAX itself");

static uint16_t folded(uint32_t isn)
{
    return (uint16_t)(isn >> 16 ^ isn);
}

static uint32_t cookie_hash(uint8_t age)
{
    return keyed_hash(&whit.rx.pending, (uint8_t)((whit.now_ms >> PERIOD_SHIFT) - age)).low;
}

uint32_t cookie_make(uint8_t parity)
{
    uint16_t mss = whit.rx.mss, code = (uint16_t)(mss >= MSS_MAX ? CODE_MASK : mss / MSS_UNIT);
    return cookie_hash(0) ^ (uint32_t)folded(seg_seq()) << 16 ^ code ^ (uint16_t)(parity << CODE_BITS);
}

// `own` is the ISS that the segment acknowledges, or with `fin` that and a FIN after it. True: its connection is known.
static bool look(uint32_t own, bool fin)
{
    struct whit_rx *rx = &whit.rx;
    uint16_t low = (uint16_t)own, isn = (uint16_t)(own >> 16), code = low & CODE_MASK;
    uint8_t parity = low >> CODE_BITS & 1;
    if (low > LOW_MASK || (code > CODE_LAST && code != CODE_MASK))
        return false;
    if (rx->tag == NULL)
        rx->origin = ORIGIN_WRONG_SEQ;
    if (fin || (rx->tag != NULL && rx->tag->parity == parity))
        return false;
    rx->pending.mss4 = (code == CODE_MASK ? MSS_MAX / 4 : code * MSS_UNIT < MSS_MIN ? MSS_MIN / 4 : code * (MSS_UNIT / 4)) & 0x1ffu;
    rx->pending.parity = parity & 1u;
    bool first = isn == folded(seg_seq() - 1), probe = isn == folded(seg_seq()) && rx->payload_len <= 1;
    if (!first && !probe)
        return false;
    rx->origin = first ? ORIGIN_COOKIE : ORIGIN_OUT_OF_ORDER;
    rx->pending.rcv_nxt = seg_seq() + !first;
    return true;
}

void cookie_match(void)
{
    for (uint8_t age = 0; age <= 1; age++) {
        uint32_t h = cookie_hash(age);
        if (look(h ^ (seg_ack() - 1), false) || look(h ^ (seg_ack() - 2), true))
            return;
    }
}
