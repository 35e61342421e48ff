// SPDX-License-Identifier: MIT
// P-256's arithmetic as p256-m has it, in words of 32 bits.
#ifndef P256_ARITHMETIC_H
#define P256_ARITHMETIC_H

#define SLICE 60    // multiplications: some 6 300 cycles each on a Cortex-M3
typedef uint8_t slice_left;
#define P256_SUM "p256_sum.h"

#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#include "p256-m.c"

#endif
