// SPDX-License-Identifier: MIT
// Versions of a content in persistent memory, written by stored.c and sent by content_stored.c.
#ifndef WHIT_STORED_H
#define WHIT_STORED_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "tables.h"

#define STORED_BANKS 2

// What begins a bank. It is written last, whole or not at all, and makes what is after it a version.
struct stored_header {
    uint16_t version;    // 1..65535, then 1 again; 0: never written
    uint16_t len;        // octets of the content
    uint16_t hash;       // of its octets
    uint16_t check;      // of the words above and the seal
};
#define STORED_CHECKED 6    // octets under `check`

// NULL where the application has no such contents; nobody asks then.
static inline const struct whit_stored *stored_content(uint8_t content)
{
    return WHIT_HAS_STORED ? &whit_stored[content] : NULL;
}

static inline uint16_t stored_sums_len(uint16_t size)
{
    return (uint16_t)((size + (WHIT_CHUNK - 1u)) / WHIT_CHUNK * 2);
}

// Where a bank begins, in persistent memory.
static inline uint16_t stored_address(const struct whit_stored *s, uint8_t bank)
{
    uint16_t address = whit_flash_u16(&s->address), size = whit_flash_u16(&s->size);
    return bank == 0 ? address : (uint16_t)(address + sizeof(struct stored_header) + stored_sums_len(size) + size);
}

bool stored_header_read(const struct whit_stored *s, uint8_t bank, struct stored_header *h);    // false: the medium failed
// Finds the current version: its header, and its bank; STORED_BANKS: there is none.
uint8_t stored_current(const struct whit_stored *s, struct stored_header *current);
uint16_t stored_gone_len(void);    // octets of what the last write overwrites

void stored_init(void);

#endif
