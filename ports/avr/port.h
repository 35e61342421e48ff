// SPDX-License-Identifier: MIT
// Functions shared by the files of this port.
#ifndef WHIT_AVR_PORT_H
#define WHIT_AVR_PORT_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include "whit_limits.h"

// The EEPROM: the application's persistent memory from 0 on, then its journal (persistent.c), and at its end the seed
// (entropy.c).
#define SEED_LEN 8
#define SEED_AT (E2END + 1 - SEED_LEN)

void clock_init(void);

// Octets are kept inverted: a blank EEPROM holds zeros.
uint8_t eeprom_octet(uint16_t address);
void eeprom_read(uint16_t address, uint8_t *to, uint16_t len);
// sleeps while the write before is not done, and returns when this one has begun
void eeprom_write(uint16_t address, uint8_t octet);
static inline bool eeprom_busy(void)
{
    return (EECR & 1 << EEPE) != 0;
}

void console_init(void);    // USART 1, which carries the request log

void persistent_init(void);    // finishes the write that a power cut left
bool persistent_step(void);    // writes one more octet; false: no write is active

#endif
