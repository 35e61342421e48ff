// SPDX-License-Identifier: MIT
// The engine on a serial line (RFC 1055).
#include "fuzz.h"

const bool link_is_ethernet = false;

size_t link_wrap(uint8_t *to, const uint8_t *mac, const uint8_t *datagram, size_t len)
{
    size_t n = 0;
    (void)mac;
    for (size_t i = 0; i < len; i++) {
        if (datagram[i] == 0xc0 || datagram[i] == 0xdb) {
            to[n++] = 0xdb;
            to[n++] = datagram[i] == 0xc0 ? 0xdc : 0xdd;
        } else {
            to[n++] = datagram[i];
        }
    }
    to[n++] = 0xc0;
    return n;
}

// The driver escapes: the engine passes the datagram.
const uint8_t *link_unwrap(uint8_t *frame, size_t *len)
{
    (void)len;
    return frame;
}

bool link_end(uint32_t now_ms)
{
    (void)now_ms;
    return true;
}

void link_flush(uint32_t now_ms)
{
    whit_input(&(const uint8_t){0xc0}, 1, now_ms);
}
