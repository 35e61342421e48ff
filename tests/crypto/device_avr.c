// SPDX-License-Identifier: MIT
// An ATmega1284P sends by its UART. The test counts the expected octets, so no end is sent.
#include <avr/io.h>

void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

void start_telling(void)
{
    UBRR0 = 0;    // as fast as the line can be
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
}

void tell(uint8_t octet)
{
    while ((UCSR0A & 1 << UDRE0) == 0) {
    }
    UDR0 = octet;
}

_Noreturn void finish(void)
{
    for (;;) {
    }
}
