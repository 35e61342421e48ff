// SPDX-License-Identifier: MIT
// Initial sequence numbers that remember a connection for us (RFC 4987 section 3.6, RFC 6528). Our ISS is
//   31..16  keyed hash of address, port, the peer's ISN, period, MSS
//   15..B   keyed hash of address, port, period
//    B-1..0 MSS, masked by more of the second hash
// so the first octet of a request proves that its sender received our SYN-ACK, and brings the MSS along. The lower
// half alone tells a segment that overtook the first one from one that is nobody's. B follows from the chunk, in
// whose multiples an MSS is told: 9 bits for chunks of 4 to 4 bits for 128. A cookie is good for the period of
// 65.5 s that it was made in and for the next.
#include "inner.h"
#include "siphash.h"

#define UNIT WHIT_CHUNK
#define CODE_BITS (UNIT == 4 ? 9 : UNIT == 8 ? 8 : UNIT == 16 ? 7 : UNIT == 32 ? 6 : UNIT == 64 ? 5 : 4)
#define CODE_MASK ((1u << CODE_BITS) - 1)
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

uint16_t cookie_mss(uint16_t mss)
{
    return mss_of(code_of(mss));
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

uint32_t cookie_make(uint32_t addr, uint16_t port, uint32_t irs, uint16_t mss)
{
    uint16_t code = code_of(mss);
    uint32_t lower = hash(addr, port, period_now(), 0, LOWER_HALF);
    uint32_t upper = hash(addr, port, period_now(), irs, code);
    return upper << 16 | ((lower & ~CODE_MASK & 0xffff) | ((lower >> 16 ^ code) & CODE_MASK));
}

// The code of a cookie whose lower half was made in this period; NODE_NONE: it was not.
static uint16_t code_in(uint32_t lower, uint32_t cookie)
{
    if (((lower ^ cookie) & ~CODE_MASK & 0xffff) != 0)
        return NODE_NONE;
    return (uint16_t)((lower >> 16 ^ cookie) & CODE_MASK);
}

uint16_t cookie_check(uint32_t addr, uint16_t port, uint32_t irs, uint32_t cookie)
{
    for (uint8_t age = 0; age <= 1; age++) {
        uint8_t period = (uint8_t)(period_now() - age);
        uint16_t code = code_in(hash(addr, port, period, 0, LOWER_HALF), cookie);
        if (code != NODE_NONE && (uint16_t)hash(addr, port, period, irs, code) == cookie >> 16)
            return mss_of(code);
    }
    return 0;
}

bool cookie_near(uint32_t addr, uint16_t port, uint32_t cookie)
{
    for (uint8_t age = 0; age <= 1; age++) {
        uint16_t code = code_in(hash(addr, port, (uint8_t)(period_now() - age), 0, LOWER_HALF), cookie);
        if (code != NODE_NONE && (code == CODE_MASK || code <= MSS_MAX / UNIT))
            return true;
    }
    return false;
}
