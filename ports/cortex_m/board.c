// SPDX-License-Identifier: MIT
// Clock, sleep and console.
#include "board.h"

#include "console.h"

#include "semihosting.h"

// CMSDK APB timer (Cortex-M System Design Kit Technical Reference Manual, 4.4): counts down.
#define TIMER_CTRL 0x0
#define TIMER_VALUE 0x4
#define TIMER_RELOAD 0x8
#define TIMER_INTCLEAR 0xc
#define TIMER_ENABLE 1u
#define TIMER_INTERRUPT_ENABLE 8u
// CMSDK APB UART (4.3).
#define UART_DATA 0x0
#define UART_STATE 0x4
#define UART_CTRL 0x8
#define UART_BAUDDIV 0x10
#define UART_FULL 1u
// Interrupts 0 to 31 (ARMv7-M Architecture Reference Manual, B3.4).
#define NVIC_ISER REGISTER(0xe000e100u)
#define NVIC_ICPR REGISTER(0xe000e280u)

uint32_t board_ticks(void)
{
    if (REGISTER(TIMER0 + TIMER_CTRL) == 0) {
        REGISTER(TIMER0 + TIMER_VALUE) = REGISTER(TIMER0 + TIMER_RELOAD) = UINT32_MAX;
        REGISTER(TIMER0 + TIMER_CTRL) = TIMER_ENABLE;
    }
    return ~REGISTER(TIMER0 + TIMER_VALUE);
}

void board_interrupt(uint8_t number)
{
    NVIC_ISER = UINT32_C(1) << number;
}

void board_sleep(uint32_t ms)
{
    if (ms == 0)
        return;
    REGISTER(TIMER1 + TIMER_VALUE) = REGISTER(TIMER1 + TIMER_RELOAD) = ms * 1000 * BOARD_TICKS_PER_US;
    REGISTER(TIMER1 + TIMER_CTRL) = TIMER_ENABLE | TIMER_INTERRUPT_ENABLE;
    board_interrupt(TIMER1_INTERRUPT);
    __asm__ volatile("dsb\n wfi" ::: "memory");
    REGISTER(TIMER1 + TIMER_CTRL) = 0;
    REGISTER(TIMER1 + TIMER_INTCLEAR) = 1;
    NVIC_ICPR = UINT32_MAX;
}

void board_say(const char *text)
{
    REGISTER(UART0 + UART_BAUDDIV) = 217;    // 115 200 bit/s
    REGISTER(UART0 + UART_CTRL) = 1;         // the transmitter
    for (; *text != '\0'; text++) {
        while (REGISTER(UART0 + UART_STATE) & UART_FULL) {
        }
        REGISTER(UART0 + UART_DATA) = (uint8_t)*text;
    }
}

bool board_put(char octet)
{
    if (REGISTER(UART0 + UART_STATE) & UART_FULL)
        return false;
    REGISTER(UART0 + UART_DATA) = (uint8_t)octet;
    return true;
}

_Noreturn void board_end(const char *why)
{
    board_say(why);
    board_say("\n");
    semihosting_exit();
}
