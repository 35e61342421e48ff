// SPDX-License-Identifier: MIT
// Devices of QEMU's "virt" machine for RISC-V (addresses from its hw/riscv/virt.c), and of a hart.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REGISTER_8(address) (*(volatile uint8_t *)(uintptr_t)(address))

#define BOARD_TICKS_PER_US 10    // mtime

#define TEST 0x00100000u    // SiFive test finisher: a write ends the emulation
#define CLINT 0x02000000u
#define PLIC 0x0c000000u
#define UART0 0x10000000u     // 16550
#define VIRTIO 0x10001000u    // the first of VIRTIO_CNT transports, each with the interrupt after the one before
#define VIRTIO_LEN 0x1000u
#define VIRTIO_CNT 8
#define VIRTIO_INTERRUPT 1
#define NOR 0x22000000u    // the second part of flash: two chips of 16 bits side by side

#define FLASH_SECTOR_LEN 0x40000u    // sectors of both chips

#endif
