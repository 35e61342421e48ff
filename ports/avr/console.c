// SPDX-License-Identifier: MIT
// The request log leaves by USART 1 (TXD1 is PD3), 8N1, at the rate of the link.
#include <avr/io.h>

#include "console.h"
#include "port.h"

void console_init(void)
{
    UBRR1 = (WHIT_AVR_CLOCK_HZ / 4 / WHIT_BOARD_BAUD - 1) / 2;    // as uart.c
    UCSR1A = 1 << U2X1;
    UCSR1C = 1 << UCSZ11 | 1 << UCSZ10;
    UCSR1B = 1 << TXEN1;
}

bool board_put(char octet)
{
    if ((UCSR1A & 1 << UDRE1) == 0)
        return false;
    UDR1 = (uint8_t)octet;
    return true;
}
