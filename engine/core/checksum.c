// SPDX-License-Identifier: MIT
#include "checksum.h"
#include "octets.h"
#include "state.h"
#include "whit/port.h"

uint16_t checksum_flash(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    METER(static_checksum_octets, len);
    if (WHIT_FLASH_IS_MEMORY)
        return checksum_octets(sum, octets, len, odd);
    for (uint16_t i = 0; i < len; i++, odd = !odd) {
        uint8_t octet = whit_flash_u8(octets + i);
        sum = checksum_add(sum, odd ? octet : (uint16_t)(octet << 8));
    }
    return sum;
}
