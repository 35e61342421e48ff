// SPDX-License-Identifier: MIT
#include <stdint.h>

void lamp_set(uint8_t level);
