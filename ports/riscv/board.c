// SPDX-License-Identifier: MIT
// Clock, sleep and console.
#include "board.h"

#include "console.h"

// Registers of hart 0: its timer (RISC-V Privileged Architecture, 3.2.1) in SiFive's CLINT, and the PLIC in machine
// mode (RISC-V PLIC Specification, 3).
#define MTIMECMP_LOW REGISTER(CLINT + 0x4000)
#define MTIMECMP_HIGH REGISTER(CLINT + 0x4004)
#define MTIME_LOW REGISTER(CLINT + 0xbff8)
#define MTIME_HIGH REGISTER(CLINT + 0xbffc)
#define PLIC_PRIORITY(number) REGISTER(PLIC + 4u * (number))
#define PLIC_ENABLE(number) REGISTER(PLIC + 0x2000 + 4u * ((number) / 32u))
#define PLIC_THRESHOLD REGISTER(PLIC + 0x200000)
#define PLIC_CLAIM REGISTER(PLIC + 0x200004)
#define MIE_TIMER_AND_EXTERNAL (1u << 7 | 1u << 11)
// 16550.
#define UART_DATA REGISTER_8(UART0)
#define UART_LINE_STATUS REGISTER_8(UART0 + 5)
#define UART_EMPTY 0x20u

#define TEST_FAIL 0x3333u    // below the exit code

uint32_t board_ticks(void)
{
    return MTIME_LOW;
}

void board_interrupt(uint8_t number)
{
    PLIC_PRIORITY(number) = 1;
    PLIC_ENABLE(number) |= UINT32_C(1) << (number % 32);
    PLIC_THRESHOLD = 0;
}

static uint64_t mtime(void)
{
    uint32_t high, low;
    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (MTIME_HIGH != high);
    return (uint64_t)high << 32 | low;
}

// Never earlier than both the old and the new time, whichever half is written first.
static void set_mtimecmp(uint64_t at)
{
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)at;
    MTIMECMP_HIGH = (uint32_t)(at >> 32);
}

void board_sleep(uint32_t ms)
{
    set_mtimecmp(mtime() + ms * 1000 * BOARD_TICKS_PER_US);
    __asm__ volatile(".option push\n.option arch, +zicsr\n"
                     "csrw mie, %0\n"
                     "wfi\n"
                     ".option pop"
                     :
                     : "r"(MIE_TIMER_AND_EXTERNAL)
                     : "memory");
    // Once only: an interrupt is there again as long as its device was not acknowledged, which is the driver's to do.
    uint32_t claimed = PLIC_CLAIM;
    if (claimed != 0)
        PLIC_CLAIM = claimed;
}

void board_say(const char *text)
{
    for (; *text != '\0'; text++) {
        while ((UART_LINE_STATUS & UART_EMPTY) == 0) {
        }
        UART_DATA = (uint8_t)*text;
    }
}

bool board_put(char octet)
{
    if ((UART_LINE_STATUS & UART_EMPTY) == 0)
        return false;
    UART_DATA = (uint8_t)octet;
    return true;
}

_Noreturn void board_end(const char *why)
{
    board_say(why);
    board_say("\n");
    for (;;)
        REGISTER(TEST) = TEST_FAIL | 1u << 16;
}
