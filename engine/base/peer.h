// SPDX-License-Identifier: MIT
// What is known of the hosts that are served, whichever of their connections taught it (RFC 9040): round-trip time, whether routers may
// cut its segments, and on Ethernet the MAC address that their frames come from (arp.c). A host with a slot always has its place: there
// are as many places as slots, and a newcomer takes that of a host without one (peer_scan.c, or peer_hash.c on large builds).
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

// Full segments seem to find no way to the slot's host, and nobody tells of a smaller MTU, or nobody who can be believed: routers may cut
// them. A small build says so of all hosts.
void peer_let_cut(const struct whit_tcb *slot);
bool peer_is_cut(const struct whit_tcb *slot);

// Of congestion.c: segments that the host's connections had in flight together, and the tick at which they had them last.
#define PEER_WINDOWS (WHIT_KEEPS_WINDOW ? PEERS : 1)
extern uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];

#endif
