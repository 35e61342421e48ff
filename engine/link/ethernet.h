// SPDX-License-Identifier: MIT
// What the files of Ethernet know of each other.
#ifndef WHIT_LINK_ETHERNET_H
#define WHIT_LINK_ETHERNET_H

#include <stdint.h>

#include "../base/limits.h"

extern struct ethernet {
    uint8_t source[6];          // of the frame being received
    uint16_t asked;             // lower half of the address that ARP asked for last, 0: answered
    uint8_t peers[PEERS][6];    // of base/peer.h
} ethernet;

#endif
