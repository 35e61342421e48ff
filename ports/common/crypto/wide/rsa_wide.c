// SPDX-License-Identifier: MIT
// Signatures of RSA by multiplications of 64 bits: rsa.c with another product.
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

#include "rsa_product.h"
#include "../rsa.c"
