// SPDX-License-Identifier: MIT
// The engine's static content, with another sum of a segment than that of the prefix sums: LAB_SUM(octets, len). With
// LAB_SUM_ADDED, the engine computes the sum when it sends, by its own function for received octets. With LAB_SUM_TIGHT
// it does so by the shortest loop. With LAB_SUM_NONE it computes no sum.
#include "core/checksum.h"
#include "core/octets.h"
#include "whit/port.h"

#if defined LAB_SUM_ADDED
#define LAB_SUM(octets, len) checksum_octets(0, octets, len, false)
#elif defined LAB_SUM_TIGHT
static uint16_t added(const uint8_t *octets, uint16_t len)
{
    uint32_t sum = 0;
    for (const uint8_t *end = octets + len; octets < end; octets += 2)
        sum += (uint32_t)whit_flash_u8(octets) << 8 | whit_flash_u8(octets + 1);
    return checksum_fold(sum);
}
#define LAB_SUM(octets, len) added(octets, len)
#else
#define LAB_SUM(octets, len) 0
#endif
#define checksum_subtract(sum, less) LAB_SUM(p->octets + w->skip, len)

#pragma GCC diagnostic ignored "-Wunused-function"
#include "../../engine/response/file.c"
