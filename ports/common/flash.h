// SPDX-License-Identifier: MIT
// Persistent memory in NOR flash: the functions that flash_log.c needs of a part, and its own for a port. Two sectors
// of the part are used. They are mapped for reading; a program clears bits of a word, an erase sets all bits of a
// sector.
#ifndef FLASH_H
#define FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"    // FLASH_SECTOR_LEN in octets: at least twice WHIT_PERSISTENT_SIZE and 64

bool flash_open(void);                           // false: there is no such part
const uint32_t *flash_sector(uint8_t sector);    // 0 or 1, as the processor reads it
bool flash_erase(uint8_t sector);                // false: the part failed
// Programs words from `at` on: bytes from the sector's beginning, a multiple of 4. The bytes of the last word after
// `len` do not change.
bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len);

// Finds the log after a start. Call it before anything else of persistent memory (whit/port.h); the part is open.
void flash_log_open(void);

#endif
