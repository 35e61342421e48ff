// SPDX-License-Identifier: MIT
// The environment that lwIP needs on a device with only a clock and a serial line.
#ifndef WHIT_LWIP_DEVICE_CC_H
#define WHIT_LWIP_DEVICE_CC_H

#include <stdint.h>

uint32_t device_random(void);

#define LWIP_RAND() device_random()
#define LWIP_PLATFORM_DIAG(text) \
    do {                         \
    } while (0)

#endif
