// SPDX-License-Identifier: MIT
// Facts about each peer's host, shared by its connections (RFC 9040): round-trip time, permission for routers to fragment its segments,
// and on Ethernet its frames' MAC address (arp.c). A host with a slot always has a place: there are as many places as slots, and a new
// host takes the place of one without a slot (peer_scan.c, or peer_hash.c on large builds).
#ifndef WHIT_BASE_PEER_H
#define WHIT_BASE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "tcb.h"

void peer_init(void);
uint16_t peer_of(const struct whit_tcb *slot);         // the place of a slot's host
uint16_t peer_slots(uint32_t addr);                    // number of slots of the host at this address
void peer_take(uint16_t slot, uint32_t addr);          // peer_hash.c: this host takes the slot
void peer_release(uint16_t slot);                      // ... and gives it back
uint16_t peer_slot_cnt(uint16_t peer);                 // number of slots of the host in this place
extern uint16_t peer_srtt[PEERS], peer_rttvar[PEERS];  // eighths and quarters of ticks; 0: not measured

// Lets routers fragment segments to the slot's host: full ones seem to be lost, and no credible ICMP message named a smaller MTU.
// A small build then lets them fragment segments to all hosts.
void peer_let_cut(const struct whit_tcb *slot);
bool peer_is_cut(const struct whit_tcb *slot);

// congestion.c stores here how many segments the host's connections had in flight together, and at which tick.
#define PEER_WINDOWS (WHIT_KEEPS_WINDOW ? PEERS : 1)
extern uint16_t peer_window[PEER_WINDOWS], peer_window_at[PEER_WINDOWS];

#endif
