// SPDX-License-Identifier: MIT
// SHA-256 for processors with much code at hand: sha256.c with another hash.
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

#include "secret_octets.h"
#include "sha256_hash.h"
#include "../sha256.c"
