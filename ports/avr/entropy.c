// SPDX-License-Identifier: MIT
// Where the engine's secret comes from. RAM that has just got power holds what the scatter of its transistors and thermal noise
// make of it: some per cent of its bits are others each time (studies of SRAM as a source of random numbers find 2 to 5 % after
// a real loss of power), and whoever has not this very chip does not know the rest either. All of RAM that nobody has used yet is
// hashed, with a seed that the EEPROM keeps from the start before and that is replaced at once.
//
// What it is worth: after power was gone for seconds, 10 KB with 2 % of noisy bits are far more than the 128 bits that come out.
// After a reset without loss of power the RAM says what it said before; the seed makes the secret another one, unknown still to
// whoever did not know the one before. A chip that is read out gives it away. On a part whose RAM is nearly full (less than 2 KB
// left) more is needed: the jitter of the watchdog's oscillator, or noise of the ADC.
#include <avr/io.h>
#include <string.h>

#include "port.h"
#include "whit/port.h"

extern uint8_t _end[], whit_stack_bottom[];

#define STATE_WORDS 4

static inline uint32_t rotated(uint32_t word, uint8_t by) { return word << by | word >> (32 - by); }

// A quarter round of ChaCha (RFC 8439 section 2.1).
static void stir(uint32_t s[STATE_WORDS])
{
    s[0] += s[1];
    s[3] = rotated(s[3] ^ s[0], 16);
    s[2] += s[3];
    s[1] = rotated(s[1] ^ s[2], 12);
    s[0] += s[1];
    s[3] = rotated(s[3] ^ s[0], 8);
    s[2] += s[3];
    s[1] = rotated(s[1] ^ s[2], 7);
}

static void stir_well(uint32_t s[STATE_WORDS])
{
    for (uint8_t i = 0; i < 20; i++) {
        s[i % STATE_WORDS] += i;
        stir(s);
    }
}

// At most 16 octets. The engine asks once.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    uint32_t s[STATE_WORDS] = {0x74696857, 0x6f726620, 0x6874206d, 0x676e6968};
    for (uint8_t i = 0; i < SEED_LEN; i++) {
        s[0] ^= eeprom_octet(SEED_AT + i);
        stir(s);
    }
    for (const uint8_t *at = _end; at + sizeof s[0] <= whit_stack_bottom; at += sizeof s[0]) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        s[0] ^= word;
        stir(s);
    }
    stir_well(s);
    for (uint8_t i = 0; i < SEED_LEN; i++)
        eeprom_write(SEED_AT + i, ((const uint8_t *)s)[i]);
    stir_well(s);
    memcpy(to, s, len < sizeof s ? len : sizeof s);
}
