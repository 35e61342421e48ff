// SPDX-License-Identifier: MIT
// The board: addresses of its devices, from the microcontroller's reference manual. Replace each number.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define TIMER_COUNT REGISTER(0x40000024)    // 32 bits, counts up
#define BOARD_TICKS_PER_US 16               // steps of it in a microsecond

#define FLASH_SECTOR_LEN 4096               // octets that one erase clears

#endif
