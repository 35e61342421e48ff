// SPDX-License-Identifier: MIT
// What the files of Ethernet know of each other.
#ifndef WHIT_LINK_ETHERNET_H
#define WHIT_LINK_ETHERNET_H

#include <stdint.h>

#include "../base/limits.h"

extern struct ethernet {
    uint8_t source[6];             // of the frame being received
    uint16_t asked;                // lower half of the address that ARP asked for last, 0: answered
    uint8_t peers[WHIT_PEERS][6];  // of base/peer.h
} ethernet;

void arp_ask(uint32_t addr);
uint32_t next_hop(uint32_t addr);    // itself, or the gateway when it is not on our network

#endif
