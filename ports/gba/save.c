// SPDX-License-Identifier: MIT
// Persistent memory is the cartridge's battery-backed SRAM: 32 KiB on a bus of eight bits, so that it is read and
// written by octets.
//
// A write goes to a journal first, then the mark is set, and then the journal is applied. If power fails before the
// mark is set, nothing was written; if it fails later, the next start applies the journal again. The mark is one octet:
// an interrupted write leaves either another value, or the mark with a complete journal.
#include "save.h"

#include "whit/port.h"
#include "whit_limits.h"

#define MEMORY ((volatile uint8_t *)0x0e000000)
#define MEMORY_LEN UINT32_C(0x8000)
#define USED (WHIT_PERSISTENT_SIZE + 4)           // the application's octets, the count of starts
#define JOURNAL_ADDRESS USED                      // 2 octets
#define JOURNAL_LEN (JOURNAL_ADDRESS + 2)         // 2 octets
#define JOURNAL (JOURNAL_LEN + 2)                 // USED octets
#define MAGIC (MEMORY_LEN - SAVE_SEED_LEN - 4)    // 3 octets: the rest was brought in order
#define MARK (MAGIC + 3)                          // 1 octet
#define SEED (MEMORY_LEN - SAVE_SEED_LEN)
#define MARK_SET 0xa5
#define MARK_CLEAR 0x5a
_Static_assert(JOURNAL + USED <= MAGIC,
               "app.toml: [persistent] size: at most 16366 octets fit a cartridge's save memory twice");

// Emulators and flash cartridges look for this word in the ROM, and give a cartridge with it 32 KiB of SRAM.
__attribute__((used, aligned(4), section(".save_kind"))) static const char kind[] = "SRAM_V113";

static const uint8_t magic[3] = {'W', 'h', 1};    // and the version of this layout

static uint16_t read16(uint16_t at)
{
    return (uint16_t)(MEMORY[at] | MEMORY[at + 1] << 8);
}

static void write16(uint16_t at, uint16_t number)
{
    MEMORY[at] = (uint8_t)number;
    MEMORY[at + 1] = (uint8_t)(number >> 8);
}

static void apply(void)
{
    uint16_t address = read16(JOURNAL_ADDRESS), len = read16(JOURNAL_LEN);
    for (uint16_t at = 0; at < len && (uint32_t)address + at < USED; at++)
        MEMORY[address + at] = MEMORY[JOURNAL + at];
    MEMORY[MARK] = MARK_CLEAR;
}

static bool is_in_order(void)
{
    return MEMORY[MAGIC] == magic[0] && MEMORY[MAGIC + 1] == magic[1] && MEMORY[MAGIC + 2] == magic[2];
}

void save_open(void)
{
    if (is_in_order()) {
        if (MEMORY[MARK] == MARK_SET)
            apply();
        return;
    }
    MEMORY[MARK] = MARK_CLEAR;
    for (uint16_t at = 0; at < USED; at++)
        MEMORY[at] = 0;
    for (uint8_t at = 0; at < sizeof magic; at++)
        MEMORY[MAGIC + at] = magic[at];
}

uint8_t save_seed(uint8_t at)
{
    return MEMORY[SEED + at];
}

void save_read(uint16_t address, void *to, uint16_t len)
{
    uint8_t *octets = to;
    for (uint16_t at = 0; at < len; at++)
        octets[at] = MEMORY[address + at];
}

void save_write(uint16_t address, const void *from, uint16_t len)
{
    const uint8_t *octets = from;
    write16(JOURNAL_ADDRESS, address);
    write16(JOURNAL_LEN, len);
    for (uint16_t at = 0; at < len; at++)
        MEMORY[JOURNAL + at] = octets[at];
    MEMORY[MARK] = MARK_SET;
    apply();
}

static bool in_range(uint16_t address, uint16_t len)
{
    return (uint32_t)address + len <= WHIT_PERSISTENT_SIZE;
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return (const uint8_t *)MEMORY + address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    save_read(address, to, len);
    return true;
}

// The medium does not fail: a read returns the written octets.
bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    save_write(address, from, len);
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
