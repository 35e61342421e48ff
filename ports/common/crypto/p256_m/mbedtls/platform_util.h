// SPDX-License-Identifier: MIT
// What p256-m.c takes of the library that it is a part of.
#ifndef WHIT_P256_M_PLATFORM_H
#define WHIT_P256_M_PLATFORM_H

#include <stddef.h>

void mbedtls_platform_zeroize(void *secret, size_t len);

#endif
