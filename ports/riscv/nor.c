// SPDX-License-Identifier: MIT
// The machine's second part of flash, by Intel's command set (Common Flash Interface, JESD68, and Intel's "Common Flash
// Interface and Command Sets", AP-646). It has two chips of 16 bits, which get each command side by side. A chip that
// executes a command cannot be read; code runs in the other part.
#include "flash.h"

#include <string.h>

#define BOTH(value) ((uint32_t)(value) << 16 | (uint32_t)(value))
#define UNLOCK_SETUP 0x60
#define ERASE_SETUP 0x20
#define CONFIRM 0xd0
#define WRITE_BUFFER 0xe8
#define CLEAR_STATUS 0x50
#define QUERY 0x98
#define READ_ARRAY 0xff
#define BUFFER_LEN 64u    // octets of both chips, aligned: less than any such chip has
#define STATUS_READY 0x80
#define STATUS_FAILED 0x3a    // erase, program, voltage, locked
// Words of the query structure.
#define QUERY_AT 0x55
#define QUERY_STRING 0x10
#define QUERY_SECTOR_LEN 0x2f    // and the next: octets of a chip's sector / 256

static volatile uint32_t *word_of(uint32_t sector, uint32_t at)
{
    return &REGISTER(NOR + sector * FLASH_SECTOR_LEN + at);
}

static void command(volatile uint32_t *at, uint8_t code)
{
    *at = BOTH(code);
}

static volatile uint32_t *word_number(uint32_t number)
{
    return word_of(0, 4 * number);
}

static bool is_known(void)
{
    return *word_number(QUERY_STRING) == BOTH('Q') && *word_number(QUERY_STRING + 1) == BOTH('R') &&
           *word_number(QUERY_STRING + 2) == BOTH('Y') &&
           2 * 256 * ((*word_number(QUERY_SECTOR_LEN + 1) & 0xff) << 8 | (*word_number(QUERY_SECTOR_LEN) & 0xff)) ==
               FLASH_SECTOR_LEN;
}

// Waits until the chips have executed their command.
static bool finish(volatile uint32_t *at)
{
    uint32_t status;
    do
        status = *at;
    while ((status & BOTH(STATUS_READY)) != BOTH(STATUS_READY));
    command(at, CLEAR_STATUS);
    command(at, READ_ARRAY);
    return (status & BOTH(STATUS_FAILED)) == 0;
}

bool flash_open(void)
{
    command(word_number(QUERY_AT), QUERY);
    bool known = is_known();
    command(word_number(0), READ_ARRAY);
    for (uint8_t sector = 0; known && sector < 2; sector++) {    // after power-up chips may have them locked
        command(word_of(sector, 0), UNLOCK_SETUP);
        command(word_of(sector, 0), CONFIRM);
        known = finish(word_of(sector, 0));
    }
    return known;
}

const uint32_t *flash_sector(uint8_t sector)
{
    return (const uint32_t *)(uintptr_t)(NOR + sector * FLASH_SECTOR_LEN);
}

bool flash_erase(uint8_t sector)
{
    command(word_of(sector, 0), ERASE_SETUP);
    command(word_of(sector, 0), CONFIRM);
    return finish(word_of(sector, 0));
}

// Words that lie in one buffer of the chips (Write to Buffer).
static bool program_buffer(volatile uint32_t *to, const uint8_t *octets, uint16_t len)
{
    command(to, WRITE_BUFFER);
    while ((*to & BOTH(STATUS_READY)) != BOTH(STATUS_READY)) {
    }
    *to = BOTH((len - 1u) / 4);    // words of a chip, less one
    for (uint16_t done = 0; done < len; done += 4) {
        uint32_t word = UINT32_MAX;
        memcpy(&word, octets + done, len - done < 4 ? (size_t)(len - done) : 4);
        to[done / 4] = word;
    }
    command(to, CONFIRM);
    return finish(to) && memcmp((const void *)(uintptr_t)to, octets, len) == 0;
}

bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len)
{
    for (const uint8_t *from = octets; len != 0;) {
        uint16_t part = (uint16_t)(BUFFER_LEN - at % BUFFER_LEN);
        if (part > len)
            part = len;
        if (!program_buffer(word_of(sector, at), from, part))
            return false;
        at += part;
        from += part;
        len = (uint16_t)(len - part);
    }
    return true;
}
