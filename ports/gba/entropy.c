// SPDX-License-Identifier: MIT
// The console has no source of entropy: its timers, its picture and its processor run from one crystal, and start in
// the same way each time. Therefore the secret is stored in the cartridge: 16 random octets at the end of its save
// memory, written when it is made (an emulator's new file contains them). The count of starts makes each start
// different; the keys that are held down and the time are mixed in. Without the seed, the secret could be computed from
// the count of starts. XTEA (Needham, Wheeler, 1997) with the seed as its key makes octets of it, 8 at a time.
#include "clock.h"
#include "registers.h"
#include "save.h"
#include "whit/port.h"
#include "whit_limits.h"

#define ROUNDS 32

static uint32_t key_word(uint8_t number)
{
    uint32_t word = 0;
    for (uint8_t at = 0; at < 4; at++)
        word = word << 8 | save_seed((uint8_t)((number & 3) * 4 + at));
    return word;
}

static void encipher(uint32_t block[2])
{
    uint32_t sum = 0;
    for (uint8_t round = 0; round < ROUNDS; round++) {
        block[0] += (((block[1] << 4) ^ (block[1] >> 5)) + block[1]) ^ (sum + key_word((uint8_t)sum));
        sum += UINT32_C(0x9e3779b9);
        block[1] += (((block[0] << 4) ^ (block[0] >> 5)) + block[0]) ^ (sum + key_word((uint8_t)(sum >> 11)));
    }
}

// A block is the count of starts, and its position in the octets of this start, beside the observed values.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    uint32_t start_cnt;
    save_read(SAVE_START_COUNT, &start_cnt, sizeof start_cnt);
    start_cnt++;
    save_write(SAVE_START_COUNT, &start_cnt, sizeof start_cnt);
    uint32_t seen = (uint32_t)(KEYINPUT & KEYS) << 22 | (uint32_t)clock_cycles() << 8;
    for (uint8_t at = 0; at < len; at += 8) {
        uint32_t block[2] = {start_cnt, seen ^ at};
        encipher(block);
        for (uint8_t i = 0; i < 8 && at + i < len; i++)
            to[at + i] = (uint8_t)(block[i >> 2] >> 8 * (i & 3));
    }
}
