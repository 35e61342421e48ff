// SPDX-License-Identifier: MIT
#include "checksum.h"

#include "inner.h"

// A wide sum of at most 2^15 words cannot overflow: its carries come round at the end (RFC 1071 section 2 (C)).
uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    uint32_t wide = sum;
    if (odd && len != 0) {
        wide += *octets++;
        len--;
    }
    for (; len > 1; len = (uint16_t)(len - 2), octets += 2)
        wide += load16_be(octets);
    if (len != 0)
        wide += (uint16_t)(*octets << 8);
    return checksum_fold(wide);
}

uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    METER(static_checksum_octets, len);
    for (uint16_t i = 0; i < len; i++, odd = !odd) {
        uint8_t octet = whit_flash_u8(octets + i);
        sum = checksum_add(sum, odd ? octet : (uint16_t)(octet << 8));
    }
    return sum;
}
