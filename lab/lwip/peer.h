// SPDX-License-Identifier: MIT
// lwIP in virtual time: frames in, frames out, clock forward. tools/whit_testbed/lwip.py calls these.
#ifndef WHIT_LWIP_PEER_H
#define WHIT_LWIP_PEER_H

#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

// snd_buf: of a connection; write_max: the most that the web server hands to TCP at once. Octets.
EXPORTED void lwip_peer_start(const uint8_t *mac, const uint8_t *address, uint16_t snd_buf, uint16_t write_max,
                              uint32_t now_ms);
EXPORTED void lwip_peer_clock(uint32_t now_ms);
EXPORTED void lwip_peer_input(const uint8_t *frame, uint16_t len);
EXPORTED void lwip_peer_tick(void);
EXPORTED uint32_t lwip_peer_next_ms(void);
EXPORTED int lwip_peer_take(uint8_t *to, int capacity);    // a frame that was sent; 0: none

// A response, head included, that stays where it is. generated: read piece by piece, so that lwIP must keep a copy.
EXPORTED int lwip_peer_file(const char *name, const uint8_t *octets, uint32_t len, int generated);

// lwIP's own statistics. Pools in the order of lwIP's enum memp_t.
EXPORTED int lwip_peer_pool_cnt(void);
EXPORTED const char *lwip_peer_pool_name(int pool);
EXPORTED uint32_t lwip_peer_pool_used(int pool);
EXPORTED uint32_t lwip_peer_pool_size(int pool);    // size of an element
EXPORTED uint32_t lwip_peer_heap_used(void);
// pbufs on the heap: octets that connections keep for retransmission
EXPORTED uint32_t lwip_peer_heap_pbuf_cnt(void);
EXPORTED uint32_t lwip_peer_pbuf_size(void);    // size of a pbuf's head
EXPORTED uint32_t lwip_peer_error_cnt(void);    // allocations that failed

#endif
