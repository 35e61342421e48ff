// SPDX-License-Identifier: MIT
// The board: addresses of its devices, from the microcontroller's reference manual. Replace each number.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#include "whit_limits.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define TIMER_COUNT REGISTER(0x40000024)    // 32 bits, counts up
#define BOARD_TICKS_PER_US 16               // steps of it in a microsecond

#define FLASH_ERASE_LEN 4096    // octets that one erase clears
#define RAM_TO_SPARE 8192       // octets that stand for flash until nor.c is written

// Half of the log of persistent memory. The log holds twice the persistent memory (ports/common/flash_log.c). It takes
// as many of the part's sectors as [persistent] and [stored] of app.toml need.
#define FLASH_SECTOR_LEN \
    ((2 * (WHIT_PERSISTENT_SIZE + 16) + 8 + FLASH_ERASE_LEN - 1) / FLASH_ERASE_LEN * FLASH_ERASE_LEN)

#endif
