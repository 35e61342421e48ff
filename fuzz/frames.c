// SPDX-License-Identifier: MIT
// The engine on Ethernet.
#include "fuzz.h"

#include <string.h>

const bool link_is_ethernet = true;

size_t link_wrap(uint8_t *to, const uint8_t *mac, const uint8_t *datagram, size_t len)
{
    static const uint8_t own[6] = {2, 0, 0, 0, 0, 1};
    memcpy(to, own, 6);
    memcpy(to + 6, mac, 6);
    store16_be(to + 12, 0x0800);
    memcpy(to + 14, datagram, len);
    return 14 + len;
}

const uint8_t *link_unwrap(uint8_t *frame, size_t *len)
{
    CHECK(*len >= 14 && *len <= 1514);
    *len -= 14;
    if (load16_be(frame + 12) == 0x0806) {
        CHECK(*len == 28);
        return NULL;
    }
    CHECK(load16_be(frame + 12) == 0x0800);
    return frame + 14;
}

bool link_end(uint32_t now_ms)
{
    enum whit_taken said = whit_input_end(now_ms);
    return said == WHIT_TAKEN || said == WHIT_AHEAD;    // WHIT_AHEAD has an answer
}

void link_flush(uint32_t now_ms)
{
    whit_input_end(now_ms);
}
