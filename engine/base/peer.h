// SPDX-License-Identifier: MIT
// What is known of the hosts that are served, whichever of their connections taught it (RFC 9040): round-trip time, whether
// routers may cut its segments, and on Ethernet the MAC address that their frames come from (arp.c). A host with a slot always has its place: there are as many places as slots,
// and a newcomer takes that of a host without one (peer_scan.c, or peer_hash.c on large builds).
#ifndef WHIT_BASE_PEER_H
#define WHIT_BASE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "tcb.h"

void peer_init(void);
uint16_t peer_of(const struct whit_tcb *slot);         // the place of a slot's host
uint16_t peer_slots(uint32_t addr);                    // that the host of this address has
void peer_take(uint16_t slot, uint32_t addr);          // peer_hash.c: the slot of this number is that host's
void peer_release(uint16_t slot);                      // ... no more
uint16_t peer_slot_cnt(uint16_t peer);                 // that the host of this place has
extern uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];  // eighths and quarters of ticks; 0: not measured

// Full segments seem to find no way to the host, and nobody tells of a smaller MTU, or nobody who can be believed: routers may cut them.
extern uint8_t peer_cut[(PEERS + 7) / 8];    // a bit for each
static inline bool peer_is_cut(uint16_t peer) { return (peer_cut[peer / 8] >> peer % 8 & 1) != 0; }
static inline void peer_let_cut(uint16_t peer) { peer_cut[peer / 8] |= (uint8_t)(1u << peer % 8); }
static inline void peer_keep_whole(uint16_t peer) { peer_cut[peer / 8] &= (uint8_t)~(1u << peer % 8); }

// Of congestion.c: segments that the host's connections had in flight together, and the tick at which they had them last.
#define PEER_WINDOWS (WHIT_KEEPS_WINDOW ? PEERS : 1)
extern uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];

#endif
