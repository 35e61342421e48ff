// SPDX-License-Identifier: MIT
// ECDSA on P-256 by multiplications of 64 bits: p256.c with another arithmetic.
#include <string.h>

#include "whit/crypto.h"

#include "p256_arithmetic.h"
#include "../p256.c"
