// SPDX-License-Identifier: MIT
#ifndef WHIT_KEYED_HASH_H
#define WHIT_KEYED_HASH_H

#include <stdint.h>

#include "tcb.h"

// What a hash is for tells it from the others: of cookies, their period.
#define HASH_TAG 0x100
#define HASH_TABLE 0x101
#define HASH_XML 0x103     // of names in a body (xml_scan.h)
#define HASH_PORT 0x102    // of a connection that we open (client.c), whose first number has a port of 49152 and more

// Of a peer whose connection is under TLS: its other connections have the same address and perhaps the same port.
static inline uint16_t hash_use(const struct whit_tcb *peer, uint16_t use) { return is_tls(peer) ? use | 0x800 : use; }

// Keyed hash of a peer's address and port.
struct hash {
    uint32_t low, high;
} keyed_hash(const struct whit_tcb *peer, uint16_t use);

#endif
