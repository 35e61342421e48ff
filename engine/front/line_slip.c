// SPDX-License-Identifier: MIT
// Octets of a serial line (SLIP, RFC 1055): a datagram is what stands between two END octets.
#include "front.h"
#include "../base/state.h"
#include "../link/link.h"
#include "../link/rx.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

static struct {
    bool escaped;
    bool empty;    // since the last END nothing came: that END was a separator
} line;

void line_begin(void)
{
    link_begin();
    line.escaped = false;
    line.empty = true;
}

static void line_octet(uint8_t octet)
{
    if (octet == END) {
        if (line.escaped)    // the datagram is spoilt, and has ended
            rx_ignore(WHIT_DROP_FRAME_LINE);
        if (!line.empty)
            dispatch_end();
        line_begin();
        return;
    }
    line.empty = false;
    if (!line.escaped) {
        line.escaped = octet == ESC;
    } else {
        line.escaped = false;
        if (octet != ESC_END && octet != ESC_ESC && whit.rx.stage != RX_IGNORE)
            rx_ignore(WHIT_DROP_FRAME_LINE);
        octet = octet == ESC_END ? END : ESC;
    }
    if (!line.escaped)
        dispatch_octets(&octet, 1);
}

void line_input(const uint8_t *octets, uint16_t len)
{
    for (; len != 0; len--)
        line_octet(*octets++);
}
