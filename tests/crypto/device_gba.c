// SPDX-License-Identifier: MIT
// A Game Boy Advance sends by its link port as a UART. The test counts the expected octets, so no end is sent.
#include "gba/registers.h"

#define FASTEST 3

void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

void start_telling(void)
{
    RCNT = 0;
    SIOCNT = SIO_UART;
    SIOCNT = SIO_UART | FASTEST | SIO_8_BITS | SIO_FIFO | SIO_SEND;
}

void tell(uint8_t octet)
{
    while ((SIOCNT & SIO_SEND_FULL) != 0) {
    }
    SIODATA8 = octet;
}

_Noreturn void finish(void)
{
    for (;;) {
    }
}
