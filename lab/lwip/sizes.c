// SPDX-License-Identifier: MIT
// Sizes of the elements of lwIP's pools with pointers of 32 bits: an array of that size for each. The symbol table
// gives their lengths.
#include "lwip/memp.h"
#include "lwip/pbuf.h"
#include "lwip/priv/memp_priv.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/netbuf.h"
#include "lwip/raw.h"
#include "lwip/udp.h"
#include "lwip/ip4_frag.h"
#include "lwip/etharp.h"
#include "lwip/timeouts.h"

#define LWIP_MEMPOOL(name, num, size, desc) char lwip_size_##name[LWIP_MEM_ALIGN_SIZE(size)];
#include "lwip/priv/memp_std.h"
char lwip_size_pbuf[LWIP_MEM_ALIGN_SIZE(sizeof(struct pbuf))];
