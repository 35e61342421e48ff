// SPDX-License-Identifier: MIT
// Constants in program memory, which loads do not reach. All of them lie in its first 64 KB (the linker puts them before code),
// so that pointers of 16 bits name them.
#ifndef WHIT_FLASH_H
#define WHIT_FLASH_H

#include <avr/pgmspace.h>
#include <stdint.h>

#define WHIT_FLASH PROGMEM

static inline uint8_t whit_flash_u8(const void *from) { return pgm_read_byte(from); }
static inline uint16_t whit_flash_u16(const void *from) { return pgm_read_word(from); }
static inline uint32_t whit_flash_u32(const void *from) { return pgm_read_dword(from); }
#define whit_flash_ptr(from) ((__typeof__(*(from)))pgm_read_word(from))
static inline void whit_flash_copy(void *to, const void *from, uint16_t len) { memcpy_P(to, from, len); }

#endif
