// SPDX-License-Identifier: MIT
// The segment at hand: its header stays in whit.rx.head.
#ifndef WHIT_LINK_SEGMENT_H
#define WHIT_LINK_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/octets.h"
#include "../base/state.h"

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_PSH 0x08
#define TCP_ACK 0x10

// The segment at hand: its header stays in whit.rx.head.
static inline uint32_t seg_seq(void) { return load32_be(whit.rx.head + 4); }
static inline uint32_t seg_ack(void) { return load32_be(whit.rx.head + 8); }
static inline uint16_t seg_wnd(void) { return load16_be(whit.rx.head + 14); }
static inline uint8_t seg_flags(void) { return whit.rx.head[13]; }
// Of its data, and a FIN as one.
#if WHIT_FAST
static inline
#else
static __attribute__((noinline, unused))
#endif
uint16_t seg_len(void) { return (uint16_t)(whit.rx.payload_len + (seg_flags() & TCP_FIN)); }
_Static_assert(TCP_FIN == 1, "counts as one");
static inline bool seg_is_pure(void) { return seg_len() == 0; }

#endif
