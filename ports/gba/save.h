// SPDX-License-Identifier: MIT
#ifndef WHIT_GBA_SAVE_H
#define WHIT_GBA_SAVE_H

#include <stdint.h>

#define SAVE_SEED_LEN 16
#define SAVE_START_COUNT WHIT_PERSISTENT_SIZE    // after the application's octets: how often it was started, 4 octets

void save_open(void);             // brings it in order; call it first
uint8_t save_seed(uint8_t at);    // an octet of the seed, which whoever made the cartridge has put there
void save_read(uint16_t address, void *to, uint16_t len);
void save_write(uint16_t address, const void *from, uint16_t len);

#endif
