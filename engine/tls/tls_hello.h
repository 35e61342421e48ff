// SPDX-License-Identifier: MIT
// A ClientHello, octet by octet (RFC 8446, section 4.1.2).
#ifndef WHIT_TLS_HELLO_H
#define WHIT_TLS_HELLO_H

#include "tls.h"

// Suites of RFC 8446, section B.4.
#define AES_128_GCM_SHA256 0x1301
#define CHACHA20_POLY1305_SHA256 0x1303

// What was found in it.
enum hello_flag {
    HELLO_TLS13 = 1, HELLO_CIPHER = 2, HELLO_GROUP = 4, HELLO_SIGNATURE = 8, HELLO_SHARE = 0x10, HELLO_HTTP11 = 0x20,
    HELLO_DHE = 0x40, HELLO_TICKET = 0x80, HELLO_BINDER = 0x100, HELLO_COMPRESSION = 0x200,
    HELLO_AES = 0x400, HELLO_AES_FIRST = 0x800,
};

// The extensions that are read, each a list; binders stand behind identities.
enum hello_list {
    LIST_VERSIONS, LIST_GROUPS, LIST_SIGNATURES, LIST_MODES, LIST_PROTOCOLS, LIST_SHARES, LIST_LIMIT, LIST_IDENTITIES, LIST_EARLY,
    LIST_BINDERS, LIST_UNKNOWN,
};
#define HELLO_HAS(hello, list) (((hello)->seen & 1u << (list)) != 0)

// For the next one, of a connection that begins or goes on: `sha` stays.
void hello_begin(struct tls_hello *hello);

// Returns an alert, or 0. When the message is whole, hello_is_whole().
uint8_t hello_octet(struct tls *tls, uint8_t octet);
bool hello_is_whole(const struct tls_hello *hello);

#endif
