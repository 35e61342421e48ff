// SPDX-License-Identifier: MIT
// Persistent memory is a copy of its file in RAM; each write replaces the file (persistent_file.c). Staged octets wait
// for the next write: an upload is written to the disk once, with the mark that makes it the current version.
#include "persistent.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "persistent_file.h"
#include "whit/port.h"
#include "whit_limits.h"

static const char *path;
static uint8_t memory[PERSISTENT_FILE_MAX];    // copy of the file for reads
static size_t memory_len;    // at least WHIT_PERSISTENT_SIZE; more when an earlier build of the application had more

bool persistent_open(const char *wanted)
{
    path = wanted;
    if (WHIT_PERSISTENT_SIZE == 0)
        return true;
    if (!persistent_file_lock(path) || !persistent_file_read(memory, &memory_len))
        return false;
    if (memory_len < WHIT_PERSISTENT_SIZE)
        memory_len = WHIT_PERSISTENT_SIZE;
    return true;
}

bool persistent_can_stay(void)
{
    return WHIT_PERSISTENT_SIZE == 0 || persistent_file_can_stay();
}

static bool in_range(uint16_t address, uint16_t len)
{
    return (uint32_t)address + len <= WHIT_PERSISTENT_SIZE;
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return memory + address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    memcpy(to, memory + address, len);
    return true;
}

bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    memcpy(memory + address, from, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    static uint8_t before[PERSISTENT_FILE_MAX];
    if (!in_range(address, len))
        return false;
    memcpy(before, memory + address, len);
    memcpy(memory + address, from, len);
    if (persistent_file_write(memory, memory_len))
        return true;
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    memcpy(memory + address, before, len);
    return false;
}
