// SPDX-License-Identifier: MIT
// Constants on a machine where they are ordinary memory: reading them is a plain load.
#ifndef WHIT_FLASH_H
#define WHIT_FLASH_H

#include <stdint.h>
#include <string.h>

#define WHIT_FLASH
#define WHIT_FLASH_IS_MEMORY 1    // one function computes checksums of both

static inline uint8_t whit_flash_u8(const void *from)
{
    return *(const uint8_t *)from;
}
static inline uint16_t whit_flash_u16(const void *from)
{
    return *(const uint16_t *)from;
}
static inline uint32_t whit_flash_u32(const void *from)
{
    return *(const uint32_t *)from;
}
#define whit_flash_ptr(from) (*(from))
static inline void whit_flash_copy(void *to, const void *from, uint16_t len)
{
    memcpy(to, from, len);
}

#endif
