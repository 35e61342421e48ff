// SPDX-License-Identifier: MIT
// Ports of a PC that have been where they are since the PC/AT, and the sizes of its persistent memory.
#ifndef MACHINE_H
#define MACHINE_H

#define PIC_FIRST 0x20    // 8259, two of them
#define PIC_SECOND 0xa0
#define PIT 0x40    // 8254
#define PIT_HZ 1193182
#define KEYBOARD_B 0x61    // gate and output of the timer's channel 2
#define COM1 0x3f8         // 16550
#define ATA 0x1f0          // the first channel of an IDE controller
#define ATA_CONTROL 0x3f6
#define SCREEN 0xb8000    // text of 80 columns and 25 rows

#define FLASH_SECTOR_LEN 0x40000u    // octets of each half of persistent memory, on a disk
#define FLASH_SECTOR_CNT 2u

#endif
