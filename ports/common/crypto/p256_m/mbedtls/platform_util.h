// SPDX-License-Identifier: MIT
// The part of its library that p256-m.c needs.
#ifndef WHIT_P256_M_PLATFORM_H
#define WHIT_P256_M_PLATFORM_H

#include <stddef.h>

void mbedtls_platform_zeroize(void *secret, size_t len);

#endif
