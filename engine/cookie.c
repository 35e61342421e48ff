// SPDX-License-Identifier: MIT
// Initial sequence numbers that remember a connection for us (RFC 4987 section 3.6, RFC 6528). Our ISS is
//   31..16  keyed hash of address, port, the peer's ISN, period, MSS
//   15..B   keyed hash of address, port, period
//    B-1..0 MSS and flavour, masked by more of the second hash
// so the first octet of a request proves that its sender received our SYN-ACK, and brings the MSS along. The lower
// half alone tells a segment that overtook the first one from one that is nobody's. B follows from the chunk, in
// whose multiples an MSS is told: 10 bits for chunks of 4 to 5 bits for 128, the flavour's included. A cookie is good for the period of
// 65.5 s that it was made in and for the next.
//
// The flavour keeps the copies of a connection's first request, should they be late, from opening it again: while a
// tag remembers a connection of one flavour, a SYN is offered a cookie of the other, and only that one opens.
#include "inner.h"
#include "siphash.h"

#define UNIT WHIT_CHUNK
#define CODE_BITS (UNIT == 4 ? 9 : UNIT == 8 ? 8 : UNIT == 16 ? 7 : UNIT == 32 ? 6 : UNIT == 64 ? 5 : 4)
#define CODE_MASK ((1u << CODE_BITS) - 1)
#define LOW_MASK (CODE_MASK << 1 | 1)    // the code, and above it the flavour
#define PERIOD_SHIFT 16    // of milliseconds

_Static_assert(MSS_MAX / UNIT < CODE_MASK, "the largest code stands for MSS_MAX itself");

static uint16_t code_of(uint16_t mss)
{
    return (uint16_t)(mss >= MSS_MAX ? CODE_MASK : mss / UNIT);
}

static uint16_t mss_of(uint16_t code)
{
    if (code == CODE_MASK)
        return MSS_MAX;
    uint16_t mss = (uint16_t)(code * UNIT);
    return mss < MSS_MIN ? MSS_MIN : mss;
}

static uint32_t hash(uint32_t addr, uint16_t port, uint8_t period, uint32_t irs, uint16_t code)
{
    return (uint32_t)siphash((uint64_t)addr << 32 | (uint32_t)port << 16 | code, (uint64_t)irs << 32 | period);
}

#define LOWER_HALF 0x8000    // code of the hash that knows neither ISN nor MSS: no MSS has it

static uint8_t period_now(void)
{
    return (uint8_t)(whit.now_ms >> PERIOD_SHIFT);
}

uint32_t cookie_make(uint32_t addr, uint16_t port, uint32_t irs, uint16_t mss, uint8_t flavour)
{
    uint16_t low = (uint16_t)(code_of(mss) | flavour << CODE_BITS);
    uint32_t lower = hash(addr, port, period_now(), 0, LOWER_HALF);
    uint32_t upper = hash(addr, port, period_now(), irs, low);
    return upper << 16 | ((lower & ~LOW_MASK & 0xffff) | ((lower >> 16 ^ low) & LOW_MASK));
}

// Code and flavour of a cookie whose lower half was made in this period; NODE_NONE: it was not.
static uint16_t low_in(uint32_t lower, uint32_t cookie)
{
    uint16_t low = (uint16_t)((lower >> 16 ^ cookie) & LOW_MASK), code = low & CODE_MASK;
    if (((lower ^ cookie) & ~LOW_MASK & 0xffff) != 0 || (code != CODE_MASK && code > MSS_MAX / UNIT))
        return NODE_NONE;
    return low;
}

uint16_t cookie_check(uint32_t addr, uint16_t port, uint32_t irs, uint32_t cookie, uint8_t flavours, uint8_t *flavour)
{
    for (uint8_t age = 0; age <= 1; age++) {
        uint8_t period = (uint8_t)(period_now() - age);
        uint16_t low = low_in(hash(addr, port, period, 0, LOWER_HALF), cookie);
        *flavour = low >> CODE_BITS & 1;
        if (low != NODE_NONE && (flavours >> *flavour & 1) == 0 && (uint16_t)hash(addr, port, period, irs, low) == cookie >> 16)
            return mss_of(low & CODE_MASK);
    }
    return 0;
}

bool cookie_near(uint32_t addr, uint16_t port, uint32_t cookie)
{
    for (uint8_t age = 0; age <= 1; age++)
        if (low_in(hash(addr, port, (uint8_t)(period_now() - age), 0, LOWER_HALF), cookie) != NODE_NONE)
            return true;
    return false;
}
