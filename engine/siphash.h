// SPDX-License-Identifier: MIT
#ifndef WHIT_SIPHASH_H
#define WHIT_SIPHASH_H

#include <stdint.h>

// SipHash-2-4 (Aumasson and Bernstein, 2012) of a message of 16 octets, given as its two words, under the engine's key.
uint64_t siphash(uint64_t first, uint64_t second);

#endif
