// SPDX-License-Identifier: MIT
// Constants in program memory, which loads do not reach. All of them lie in its first 64 KB (the linker puts them
// before code), so that pointers of 16 bits name them. <avr/pgmspace.h> does the same and brings the names of all
// registers along, of which an application may have its own.
#ifndef WHIT_FLASH_H
#define WHIT_FLASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WHIT_FLASH __attribute__((__progmem__))

// The compiler counts the line ends of these as instructions. The last one keeps functions that read an address out of
// line, which is shorter.
static inline uint8_t whit_flash_u8(const void *from)
{
    uint8_t value;
    __asm__("lpm %0, Z\n\t" : "=r"(value) : "z"(from));
    return value;
}

static inline uint16_t whit_flash_u16(const void *from)
{
    uint16_t value, at = (uint16_t)from;
    __asm__("lpm %A0, Z+\n\tlpm %B0, Z\n\t" : "=r"(value), "=z"(at) : "1"(at));
    return value;
}

static inline uint32_t whit_flash_u32(const void *from)
{
    uint32_t value;
    uint16_t at = (uint16_t)from;
    __asm__("lpm %A0, Z+\n\tlpm %B0, Z+\n\tlpm %C0, Z+\n\tlpm %D0, Z\n\t" : "=r"(value), "=z"(at) : "1"(at));
    return value;
}

#define whit_flash_ptr(from) ((__typeof__(*(from)))whit_flash_u16(from))

#ifdef __cplusplus
extern "C"
#endif
    void *memcpy_P(void *to, const void *from, size_t len);    // avr-libc's
static inline void whit_flash_copy(void *to, const void *from, uint16_t len)
{
    memcpy_P(to, from, len);
}

#endif
