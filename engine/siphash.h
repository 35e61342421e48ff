// SPDX-License-Identifier: MIT
#ifndef WHIT_SIPHASH_H
#define WHIT_SIPHASH_H

#include <stdint.h>

// SipHash-2-4 (Aumasson and Bernstein, 2012) of `len` octets under a key of 16.
uint64_t siphash(const uint8_t key[16], const uint8_t *message, uint8_t len);

#endif
