// SPDX-License-Identifier: MIT
// What lwIP asks of a device that has nothing but a clock and a serial line.
#ifndef WHIT_LWIP_DEVICE_CC_H
#define WHIT_LWIP_DEVICE_CC_H

#include <stdint.h>

uint32_t device_random(void);

#define LWIP_RAND() device_random()
#define LWIP_PLATFORM_DIAG(text) \
    do {                         \
    } while (0)

#endif
