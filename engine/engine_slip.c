// SPDX-License-Identifier: MIT
// Octets of a serial line (SLIP, RFC 1055): a datagram is between two END octets.
#include "engine.h"
#include "core/state.h"
#include "net/net.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

void line_begin(void)
{
    link_begin();
}

static void datagram_end(void)
{
    if (whit.escaped)    // the datagram is spoilt, and has ended
        rx_ignore(WHIT_DROP_FRAME_LINE);
    whit.escaped = false;
    // An END without octets since the last one is a separator: no datagram is counted.
    if (WHIT_COUNTER_BITS == 0 || whit.rx.stage != RX_IP_HEAD || whit.rx.have != 0)
        dispatch_end();
}

// Passes runs of ordinary octets together: passing a single octet costs a small processor more than reading it.
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
        if (whit.escaped) {
            whit.escaped = false;
            if (octet != ESC_END && octet != ESC_ESC && whit.rx.stage != RX_IGNORE)
                rx_ignore(WHIT_DROP_FRAME_LINE);
            octet = octet == ESC_END ? END : ESC;
            from = &octet;
        } else if (octet == ESC) {
            whit.escaped = true;
            continue;
        } else {
            for (; octets != end && *octets != END && *octets != ESC; octets++)
                run++;
        }
        dispatch_octets(from, run);
    }
}
