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

static void datagram_end(void)
{
    if (line.escaped)    // the datagram is spoilt, and has ended
        rx_ignore(WHIT_DROP_FRAME_LINE);
    if (!line.empty)
        dispatch_end();
    line_begin();
}

// Octets that mean themselves go on together: to pass one on costs a small processor more than to read it.
void line_input(const uint8_t *octets, uint16_t len)
{
    const uint8_t *end = octets + len;
    while (octets != end) {
        const uint8_t *from = octets++;
        uint16_t run = 1;
        uint8_t octet = *from;
        if (octet == END) {
            datagram_end();
            continue;
        }
        line.empty = false;
        if (line.escaped) {
            line.escaped = false;
            if (octet != ESC_END && octet != ESC_ESC && whit.rx.stage != RX_IGNORE)
                rx_ignore(WHIT_DROP_FRAME_LINE);
            octet = octet == ESC_END ? END : ESC;
            from = &octet;
        } else if (octet == ESC) {
            line.escaped = true;
            continue;
        } else {
            for (; octets != end && *octets != END && *octets != ESC; octets++)
                run++;
        }
        dispatch_octets(from, run);
    }
}
