// SPDX-License-Identifier: MIT
// A ClientHello, octet by octet (RFC 8446, section 4.1.2).
#ifndef WHIT_TLS_HELLO_H
#define WHIT_TLS_HELLO_H

#include "tls.h"

enum hello_flag {
    HELLO_TLS13 = 1, HELLO_CIPHER = 2, HELLO_GROUP = 4, HELLO_SIGNATURE = 8, HELLO_SHARE = 0x10, HELLO_ALPN = 0x20,
    HELLO_HTTP11 = 0x40, HELLO_DHE = 0x80, HELLO_TICKET = 0x100, HELLO_BINDER = 0x200, HELLO_EARLY = 0x400,
    HELLO_COMPRESSION = 0x800, HELLO_GROUPS = 0x1000, HELLO_SIGNATURES = 0x2000, HELLO_PSK = 0x4000,
};

// For the next one, of a connection that begins or goes on: `sha` stays.
void hello_begin(struct tls_hello *hello);

// Returns an alert, or 0. When the message is whole, hello_is_whole().
uint8_t hello_octet(struct tls *tls, uint8_t octet);
bool hello_is_whole(const struct tls_hello *hello);

#endif
