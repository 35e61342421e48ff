// SPDX-License-Identifier: MIT
// A part of NOR flash (ports/common/flash.h) in RAM. Its power fails, or the part itself, at an operation that the test
// chooses: a word that is programmed, or a sector that is erased.
#include "flash.h"

#include <string.h>

#define WORDS (FLASH_SECTOR_LEN / 4)

uint32_t part_words[2][WORDS];
uint32_t part_operation_cnt;
uint32_t part_erase_cnt[2];
uint32_t part_wrong_cnt;    // words that were programmed twice between two erases
uint32_t part_cut_at;       // number of the operation that power leaves half done; 0: none
uint32_t part_fail_at;      // number of the operation that does nothing and fails
uint32_t part_random;       // random bits of an interrupted operation
bool part_is_dead;          // power is away

static uint32_t random_word(void)
{
    part_random ^= part_random << 13;
    part_random ^= part_random >> 17;
    part_random ^= part_random << 5;
    return part_random;
}

// Counts an operation. False: it does not take place, or not as it should.
static bool operates(void)
{
    if (part_is_dead)
        return false;
    part_operation_cnt++;
    part_is_dead = part_operation_cnt == part_cut_at;
    return !part_is_dead && part_operation_cnt != part_fail_at;
}

const uint32_t *flash_sector(uint8_t sector)
{
    return part_words[sector];
}

bool flash_open(void)
{
    return true;
}

bool flash_erase(uint8_t sector)
{
    bool was_dead = part_is_dead;
    if (operates()) {
        part_erase_cnt[sector]++;
        memset(part_words[sector], 0xff, FLASH_SECTOR_LEN);
        return true;
    }
    for (uint32_t i = 0; part_is_dead && !was_dead && i < WORDS; i++) {    // some words are, some begin to be
        uint32_t kind = random_word() % 4;
        uint32_t begun = part_words[sector][i] | random_word();
        part_words[sector][i] = kind == 0 ? part_words[sector][i] : kind == 1 ? begun : kind == 2 ? 0 : UINT32_MAX;
    }
    return false;
}

static bool program_word(uint32_t *to, uint32_t word)
{
    bool was_dead = part_is_dead;
    if (operates()) {
        part_wrong_cnt += *to != UINT32_MAX;
        *to &= word;
        return *to == word;
    }
    if (part_is_dead && !was_dead)
        *to &= word | random_word();
    return false;
}

bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len)
{
    for (uint16_t done = 0; done < len; done += 4) {
        uint32_t word = UINT32_MAX;
        memcpy(&word, (const uint8_t *)octets + done, len - done < 4 ? (size_t)(len - done) : 4);
        if (!program_word(&part_words[sector][(at + done) / 4], word))
            return false;
    }
    return true;
}
