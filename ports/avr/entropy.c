// SPDX-License-Identifier: MIT
// The source of the engine's secret. After power-on, RAM contents depend on differences between transistors and on
// thermal noise. Some per cent of the bits differ each time: studies of SRAM as a source of random numbers find 2 to 5
// % after a real loss of power. The other bits are known only with access to this chip. All unused RAM is hashed,
// together with a seed that the EEPROM keeps from the previous start and that is replaced at once.
//
// Strength: after some seconds without power, 10 KB with 2 % of noisy bits are far more than the 128 bits of the
// result. After a reset without loss of power the RAM is unchanged. The seed still gives a new secret, which is
// unpredictable without the previous seed. An attacker who reads the chip's memory knows the secret. A part with little
// unused RAM (less than 2 KB) needs more: the jitter of the watchdog's oscillator, or noise of the ADC.
#include <avr/io.h>
#include <string.h>

#include "port.h"
#include "whit/port.h"

extern uint8_t _end[], whit_stack_bottom[];

#define STATE_WORDS 4

static inline uint32_t rotated(uint32_t word, uint8_t by)
{
    return word << by | word >> (32 - by);
}

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

// At most 16 octets. The engine calls it once.
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
