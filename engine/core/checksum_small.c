// SPDX-License-Identifier: MIT
// The sum of octets in RAM, 16 bits at a time: small, where checksum_wide.c is fast.
#include "checksum.h"
#include "octets.h"

#if WHIT_FAST
#error WHIT_FAST and set(port_segment template) need checksum_wide.c: set(port_checksum wide)
#endif

// A wide sum of at most 2^15 words cannot overflow: its carries come round at the end (RFC 1071 section 2 (C)).
uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    uint32_t wide = sum;
    const uint8_t *end = octets + len;
    if (odd && octets != end)
        wide += *octets++;
    for (; end - octets > 1; octets += 2)
        wide += load16_be(octets);
    if (octets != end)
        wide += (uint16_t)(*octets << 8);
    return checksum_fold(wide);
}
