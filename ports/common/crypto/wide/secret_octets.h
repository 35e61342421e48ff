// SPDX-License-Identifier: MIT
// Octets that are secret are compared and overwritten, eight at a time.
#ifndef SECRET_OCTETS_H
#define SECRET_OCTETS_H

bool whit_equal(const uint8_t *one, const uint8_t *other, uint8_t len)
{
    uint64_t differs = 0, a, b;
    for (; len >= sizeof a; one += sizeof a, other += sizeof a, len -= (uint8_t)sizeof a) {
        memcpy(&a, one, sizeof a);
        memcpy(&b, other, sizeof b);
        differs |= a ^ b;
        __asm__("" : "+r"(differs));    // no compiler may stop at the first difference
    }
    for (; len > 0; len--) {
        differs |= *one++ ^ *other++;
        __asm__("" : "+r"(differs));
    }
    return differs == 0;
}

void whit_wipe(void *secret, uint16_t len)
{
    memset(secret, 0, len);
    __asm__ volatile("" : : "r"(secret) : "memory");    // the compiler must assume that it reads the memory
}

#endif
