// SPDX-License-Identifier: MIT
// The environment that lwIP needs. Nothing here depends on the machine's clock or on chance.
#ifndef WHIT_LWIP_ARCH_CC_H
#define WHIT_LWIP_ARCH_CC_H

#include <stdint.h>

uint32_t lwip_peer_random(void);
void lwip_peer_failed(const char *what, const char *file, int line);

#define LWIP_RAND() lwip_peer_random()
#define LWIP_PLATFORM_DIAG(text) \
    do {                         \
    } while (0)
#define LWIP_PLATFORM_ASSERT(what) lwip_peer_failed(what, __FILE__, __LINE__)

#endif
