// SPDX-License-Identifier: MIT
#ifndef WHIT_NONCES_H
#define WHIT_NONCES_H

#include <stdint.h>

struct whit_nonces {
    uint32_t sealed_cnt;      // numbers of keys that sealed something
    uint32_t repeated_cnt;    // number of repeated nonces,
    uint32_t broken_cnt;      // ... and something else
};
extern struct whit_nonces whit_nonces;
void whit_nonces_reset(void);

#endif
