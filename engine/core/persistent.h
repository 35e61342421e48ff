// SPDX-License-Identifier: MIT
// Persistent memory: records of the application, and contents that are written at run time.
//
// The application compiler's code uses the records (whit_persistent.c). A record begins with its seal.
#ifndef WHIT_CORE_PERSISTENT_H
#define WHIT_CORE_PERSISTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "tables.h"
#include "whit/public.h"

// `seed` follows from the layout. `len` is in octets, with the seal. False: not written by this layout, or damaged.
WHIT_PUBLIC bool record_load(uint16_t address, void *record, uint8_t len, uint16_t seed);
// the same, an octet at a time, for small stacks
WHIT_PUBLIC bool record_is_whole(uint16_t address, uint8_t len, uint16_t seed);

// Seals the record and writes it as a whole. False: the medium failed.
WHIT_PUBLIC bool record_save(uint16_t address, void *record, uint8_t len, uint16_t seed);

// ---------------------------------------------------------------------------------------- contents written at run time

// Versions of a content in persistent memory, written by persistent.c and sent by file.c.

#define STORED_BANKS 2

// The head of a bank. It is written last, as a whole or not at all, and makes the bank's content a version.
struct stored_header {
    uint16_t version;    // 1..65535, then 1 again; 0: never written
    uint16_t len;        // octets of the content
    uint16_t hash;       // hash of its octets
    uint16_t check;      // check of the words above and the seal
};
#define STORED_CHECKED 6    // octets under `check`

// NULL if the application has no such contents; the result is not used then.
static inline const struct whit_stored *stored_content(uint8_t content)
{
    return WHIT_HAS_STORED ? &whit_stored[content] : NULL;
}

static inline uint16_t stored_sums_len(uint16_t size)
{
    return (uint16_t)((size + (WHIT_CHUNK - 1u)) / WHIT_CHUNK * 2);
}

// Returns the address of a bank in persistent memory.
static inline uint16_t stored_address(const struct whit_stored *s, uint8_t bank)
{
    uint16_t address = whit_flash_u16(&s->address), size = whit_flash_u16(&s->size);
    return bank == 0 ? address : (uint16_t)(address + sizeof(struct stored_header) + stored_sums_len(size) + size);
}

// false: the medium failed
bool stored_header_read(const struct whit_stored *s, uint8_t bank, struct stored_header *h);
// Finds the current version: its header, and its bank; STORED_BANKS: no version.
uint8_t stored_current(const struct whit_stored *s, struct stored_header *current);
uint16_t stored_gone_len(void);    // length of the content that the last write overwrites

void stored_init(void);

#endif
