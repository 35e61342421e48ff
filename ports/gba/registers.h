// SPDX-License-Identifier: MIT
// The console's registers that this port uses.
#ifndef WHIT_GBA_REGISTERS_H
#define WHIT_GBA_REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint16_t *)(address))

#define VCOUNT REGISTER(0x04000006)                      // line that is being drawn
#define TIMER_COUNT(n) REGISTER(0x04000100 + 4 * (n))    // written: its start value, after each overflow
#define TIMER_CONTROL(n) REGISTER(0x04000102 + 4 * (n))
#define TIMER_CASCADE 0x0004    // counts overflows of the timer before it
#define TIMER_IRQ 0x0040
#define TIMER_ON 0x0080

#define SIOCNT REGISTER(0x04000128)
#define SIO_SEND_FULL 0x0010
#define SIO_RECEIVE_EMPTY 0x0020
#define SIO_8_BITS 0x0080
#define SIO_FIFO 0x0100    // four octets each way
#define SIO_SEND 0x0400
#define SIO_RECEIVE 0x0800
#define SIO_UART 0x3000
#define SIO_IRQ 0x4000
#define SIODATA8 (*(volatile uint8_t *)0x0400012a)
#define RCNT REGISTER(0x04000134)    // 0: the link port belongs to SIOCNT

#define KEYINPUT REGISTER(0x04000130)    // a bit of a key that is held down is 0
#define KEYS 0x03ff

// mGBA's debug console.
#define DEBUG_TEXT ((volatile char *)0x04fff600)
#define DEBUG_LEN 256
#define DEBUG_SEND REGISTER(0x04fff700)
#define DEBUG_INFO 0x0103
#define DEBUG_ENABLE REGISTER(0x04fff780)
#define DEBUG_ASK 0xc0de
#define DEBUG_THERE 0x1dea

#define IE REGISTER(0x04000200)
#define IF REGISTER(0x04000202)    // writing a 1 clears it
#define WAITCNT REGISTER(0x04000204)
#define IME REGISTER(0x04000208)
#define IRQ_TIMER0 0x0008
#define IRQ_SERIAL 0x0080

#endif
