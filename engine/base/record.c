// SPDX-License-Identifier: MIT
// The seal of a record is a hash of its octets that begins with the seed of its layout: what was never written, what is damaged and
// what another layout wrote has another one, but for one case in 65 536. It is written with the octets, so that a power cut leaves
// the old record or the new one.
#include <string.h>

#include "record.h"
#include "whit/port.h"

#define WORD_LEN 2    // octets; a record is a number of words, and the first one is its seal

static uint16_t seal_add(uint16_t seal, uint16_t word) { return (uint16_t)((uint16_t)(seal * 31u) + word); }

// Never 0, which is the seal of what was never written.
static uint16_t seal_end(uint16_t seal) { return seal | 1; }

static uint16_t seal_of(const uint8_t *record, uint8_t len, uint16_t seed)
{
    uint16_t word;
    while ((len = (uint8_t)(len - WORD_LEN)) != 0) {
        memcpy(&word, record += WORD_LEN, WORD_LEN);
        seed = seal_add(seed, word);
    }
    return seal_end(seed);
}

bool record_load(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    return whit_port_persistent_read(address, record, len) && *(const uint16_t *)record == seal_of(record, len, seed);
}

// What was never written is known by its first word.
bool record_is_whole(uint16_t address, uint8_t len, uint16_t seed)
{
    uint16_t seal = 0;
    for (uint8_t at = 0; at < len; at = (uint8_t)(at + WORD_LEN)) {
        uint16_t word;
        if (!whit_port_persistent_read((uint16_t)(address + at), &word, WORD_LEN))
            return false;
        if (at != 0)
            seed = seal_add(seed, word);
        else if ((seal = word) == 0)
            return false;
    }
    return seal_end(seed) == seal;
}

bool record_save(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    *(uint16_t *)record = seal_of(record, len, seed);
    return whit_port_persistent_write(address, record, len);
}
