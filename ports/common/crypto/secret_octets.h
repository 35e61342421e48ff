// SPDX-License-Identifier: MIT
// Octets that are secret are compared and overwritten, small.
#ifndef SECRET_OCTETS_H
#define SECRET_OCTETS_H

bool whit_equal(const uint8_t *one, const uint8_t *other, uint8_t len)
{
    volatile uint8_t differs = 0;    // no compiler may stop at the first octet
    while (len-- > 0)
        differs |= one[len] ^ other[len];
    return differs == 0;
}

void whit_wipe(void *secret, uint16_t len)
{
    for (volatile uint8_t *at = secret; len > 0; len--)
        *at++ = 0;
}

#endif
