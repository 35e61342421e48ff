// SPDX-License-Identifier: MIT
// The seal of a record is a hash of its octets that begins with the seed of its layout: what was never written, what is damaged and
// what another layout wrote has another one, but for one case in 65 536. It is written with the octets, so that a power cut leaves
// the old record or the new one.
#include "record.h"

#include <string.h>

#include "whit/port.h"

#define WORD_LEN 2    // octets; a record is a number of words, and the first one is its seal

static uint16_t seal_add(uint16_t seal, uint16_t word) { return (uint16_t)((uint16_t)(seal * 31u) + word); }

// From the last word to the second one.
static uint16_t seal_of(const uint8_t *record, uint8_t len, uint16_t seed)
{
    uint16_t word;
    while ((len = (uint8_t)(len - WORD_LEN)) != 0) {
        memcpy(&word, record + len, WORD_LEN);
        seed = seal_add(seed, word);
    }
    return seed;
}

bool record_load(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    return whit_port_persistent_read(address, record, len) && *(const uint16_t *)record == seal_of(record, len, seed);
}

bool record_is_whole(uint16_t address, uint8_t len, uint16_t seed)
{
    for (uint16_t word;; seed = seal_add(seed, word)) {
        len = (uint8_t)(len - WORD_LEN);
        if (!whit_port_persistent_read((uint16_t)(address + len), &word, WORD_LEN))
            return false;
        if (len == 0)
            return word == seed;
    }
}

bool record_save(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    *(uint16_t *)record = seal_of(record, len, seed);
    return whit_port_persistent_write(address, record, len);
}
