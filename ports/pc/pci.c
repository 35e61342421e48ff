// SPDX-License-Identifier: MIT
#include "pci.h"

#include "io.h"

#define ADDRESS 0xcf8
#define DATA 0xcfc
#define ENABLE 0x80000000u
#define FUNCTION_STEP 0x100u
#define END 0x1000000u    // after 256 buses of 32 devices of 8 functions
#define NONE 0xffffu
enum { IDENTITY = 0x00, COMMAND = 0x04, CLASS = 0x08, HEADER = 0x0c, CAPABILITIES = 0x34, INTERRUPT = 0x3c };
#define HAS_CAPABILITIES 0x100000u
#define COMMAND_PORTS 1u
#define COMMAND_MEMORY 2u
#define COMMAND_MASTER 4u
#define COMMAND_NO_INTERRUPT 0x400u
#define MANY_FUNCTIONS 0x800000u

static uint32_t read_at(uint32_t at, uint8_t offset)
{
    out_32(ADDRESS, ENABLE | at | (offset & 0xfcu));
    return in_32(DATA);
}

uint32_t pci_read(const struct pci *of, uint8_t offset)
{
    return read_at(of->at, offset);
}

static void write(const struct pci *of, uint8_t offset, uint32_t value)
{
    out_32(ADDRESS, ENABLE | of->at | offset);
    out_32(DATA, value);
}

// A device without the bit has function 0 only.
static bool is_there(uint32_t at)
{
    bool other_function = (at & 0x700u) != 0;
    if (other_function && (read_at(at & ~0x700u, HEADER) & MANY_FUNCTIONS) == 0)
        return false;
    return (read_at(at, IDENTITY) & 0xffff) != NONE;
}

bool pci_next(struct pci *found)
{
    uint32_t at = found->at == PCI_BEGIN ? 0 : found->at + FUNCTION_STEP;
    while (at < END && !is_there(at))
        at += FUNCTION_STEP;
    found->at = at;
    if (at >= END)
        return false;
    uint32_t identity = pci_read(found, IDENTITY);
    found->vendor = (uint16_t)identity;
    found->device = (uint16_t)(identity >> 16);
    found->line = (uint8_t)pci_read(found, INTERRUPT);
    return true;
}

uint8_t pci_capability(const struct pci *of, uint8_t after)
{
    if (after != 0)
        return (uint8_t)(pci_read(of, after) >> 8) & 0xfcu;
    return (pci_read(of, COMMAND) & HAS_CAPABILITIES) != 0 ? (uint8_t)pci_read(of, CAPABILITIES) & 0xfcu : 0;
}

uint8_t pci_class(const struct pci *of)
{
    return (uint8_t)(pci_read(of, CLASS) >> 24);
}

uint32_t pci_open(const struct pci *of, uint8_t number)
{
    uint32_t command = pci_read(of, COMMAND) & 0xffff, base = pci_read(of, (uint8_t)(PCI_BASE + 4 * number));
    write(of, COMMAND, (command | COMMAND_PORTS | COMMAND_MEMORY | COMMAND_MASTER) & ~COMMAND_NO_INTERRUPT);
    return (base & 1) != 0 ? base & ~3u : base & ~15u;
}
