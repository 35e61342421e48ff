// SPDX-License-Identifier: MIT
// TCP options (RFC 9293 section 3.1): the MSS of a SYN, and selective acknowledgments; all others are passed over by their length.
#include "tcp.h"
#include "../base/state.h"
#include "../recovery/recovery.h"

#define OPTION_NOP 1
#define OPTION_MSS 2
#define LENGTH 0xff    // option_left: a length comes next; 0: a kind

// Of an option's length only what follows it counts. One below 2 leaves more than a header holds: no option follows, as
// after the end of options, whose padding is such a length.
void tcp_options(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    for (; len != 0; len--) {
        uint8_t octet = *octets++;
        if (rx->option_left == 0) {
            rx->option_kind = octet;
            rx->option_left = octet == OPTION_NOP ? 0 : LENGTH;
        } else if (rx->option_left == LENGTH) {
            rx->option_left = (uint8_t)(octet - 2) & 0x7f;
            if (octet != 4)
                rx->option_kind = WHIT_SACK ? sack_kind(rx->option_kind) : 0;
        } else {
            rx->option_left--;
            if (rx->option_kind == OPTION_MSS)
                rx->mss = (uint16_t)(rx->mss << 8 | octet);
            else if (WHIT_SACK && rx->option_kind == OPTION_SACK)
                sack_octet(octet, rx->option_left);
        }
    }
}
