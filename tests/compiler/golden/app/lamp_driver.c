// SPDX-License-Identifier: MIT
#include "lamp.h"

static volatile uint8_t lamp;

void lamp_set(uint8_t level)
{
    lamp = level;
}
