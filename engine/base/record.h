// SPDX-License-Identifier: MIT
// Records of persistent memory, for what the application compiler writes (whit_persistent.c). A record begins with its seal.
#ifndef WHIT_RECORD_H
#define WHIT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/public.h"

// `seed` follows from the layout. `len` is in octets, with the seal. False: not written by this layout, or damaged.
WHIT_PUBLIC bool record_load(uint16_t address, void *record, uint8_t len, uint16_t seed);
WHIT_PUBLIC bool record_is_whole(uint16_t address, uint8_t len, uint16_t seed);    // the same, an octet at a time, for small stacks

// Seals the record and writes it as a whole. False: the medium failed.
WHIT_PUBLIC bool record_save(uint16_t address, void *record, uint8_t len, uint16_t seed);

#endif
