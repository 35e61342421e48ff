// SPDX-License-Identifier: MIT
// Two places in the microcontroller's flash, for the log that ports/common/flash_log.c keeps in them. Here they are
// RAM, so that an application runs before you have written this file; stored data is then lost with power. An
// application that needs more than RAM_TO_SPARE links, but begins only with a file of yours.
#include "flash.h"

#include <string.h>

#define STANDS_IN (2 * FLASH_SECTOR_LEN <= RAM_TO_SPARE)

static uint32_t sectors[2][STANDS_IN ? FLASH_SECTOR_LEN / 4 : 1];

bool flash_open(void)
{
    memset(sectors, 0xff, sizeof sectors);    // a real part keeps its contents
    return STANDS_IN;
}

const uint32_t *flash_sector(uint8_t sector)
{
    return sectors[sector];
}

bool flash_erase(uint8_t sector)
{
    // Unlock, erase FLASH_SECTOR_LEN octets, wait, lock. Code in the same flash stops during that time, or must run
    // from RAM.
    memset(sectors[sector], 0xff, sizeof sectors[sector]);
    return true;
}

bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len)
{
    // Unlock, write word by word, wait for each, lock; true only if all of it reads back.
    uint8_t *there = (uint8_t *)sectors[sector] + at;
    for (uint16_t i = 0; i < len; i++)
        there[i] &= ((const uint8_t *)octets)[i];
    return memcmp(there, octets, len) == 0;
}
