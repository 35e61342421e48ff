// SPDX-License-Identifier: MIT
// Devices of Arm's MPS2 board with the AN385 image (Application Note AN385, tables 3-1 to 3-3), and of a Cortex-M3.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define BOARD_TICKS_PER_US 25    // TIMER0 counts the system clock

#define TIMER0 0x40000000u    // CMSDK APB timers: the clock, and the end of a sleep
#define TIMER1 0x40001000u
#define TIMER1_INTERRUPT 9
#define UART0 0x40004000u
#define LAN9118 0x40200000u
#define LAN9118_INTERRUPT 13

#define FLASH_SECTOR_LEN 0x20000u

#endif
