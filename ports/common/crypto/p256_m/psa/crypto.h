// SPDX-License-Identifier: MIT
// The part of its library that p256-m.c needs.
#ifndef WHIT_P256_M_PSA_H
#define WHIT_P256_M_PSA_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t psa_status_t;
psa_status_t psa_generate_random(uint8_t *to, size_t len);

#endif
