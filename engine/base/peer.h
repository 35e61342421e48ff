// SPDX-License-Identifier: MIT
// What is known of the hosts that are served (peer.c).
#ifndef WHIT_BASE_PEER_H
#define WHIT_BASE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

void peer_init(void);
uint16_t peer_find(uint32_t addr);      // WHIT_PEERS: none
uint16_t peer_learn(uint32_t addr);     // finds or makes a place; WHIT_PEERS: all are in use
extern uint16_t peer_srtt[WHIT_PEERS], peer_rttvar[WHIT_PEERS];    // eighths and quarters of ticks; 0: not measured

#endif
