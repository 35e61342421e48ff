// SPDX-License-Identifier: MIT
// Simulates flash, because the board has none that a program may write. It has the rules of NOR: a program clears bits
// and sets none, an erase sets all of a sector. Reads are plain loads, from a copy in the PSRAM. Each program and erase
// is written at once to a file of the emulator's host, which survives loss of power. In a product, the three functions
// drive the controller of the flash.
#include <string.h>

#include "flash.h"
#include "semihosting.h"

#define SECTORS 2

extern uint8_t nor_sectors[SECTORS * FLASH_SECTOR_LEN];    // linker script

static int32_t file;

bool flash_open(void)
{
    file = semihosting_open("cortex-m.nor", SEMIHOSTING_UPDATE);
    return file >= 0 && semihosting_read(file, nor_sectors, SECTORS * FLASH_SECTOR_LEN);
}

static uint8_t *octets_of(uint8_t sector)
{
    return nor_sectors + sector * FLASH_SECTOR_LEN;
}

static bool keep(const void *from, uint32_t len)
{
    return semihosting_write(file, (uint32_t)((const uint8_t *)from - nor_sectors), from, len);
}

const uint32_t *flash_sector(uint8_t sector)
{
    return (const uint32_t *)(const void *)octets_of(sector);
}

bool flash_erase(uint8_t sector)
{
    memset(octets_of(sector), 0xff, FLASH_SECTOR_LEN);
    return keep(octets_of(sector), FLASH_SECTOR_LEN);
}

bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len)
{
    uint8_t *to = octets_of(sector) + at;
    const uint8_t *from = octets;
    for (uint16_t i = 0; i < len; i++)
        to[i] &= from[i];
    return keep(to, len) && memcmp(to, from, len) == 0;
}
