// SPDX-License-Identifier: MIT
// TCP options (RFC 9293 section 3.1): the MSS of a SYN; all others are passed over by their length.
#include "inner.h"

#define OPTION_END 0
#define OPTION_NOP 1
#define OPTION_MSS 2

#define STEP_KIND 0xff      // option_left: a kind comes next
#define STEP_LENGTH 0xfe    // a length comes next
#define STEP_OVER 0xfd      // no option follows

static void option_octet(struct whit_rx *rx, uint8_t octet)
{
    if (rx->option_left == STEP_KIND) {
        rx->option_kind = octet;
        if (octet != OPTION_NOP)
            rx->option_left = octet == OPTION_END ? STEP_OVER : STEP_LENGTH;
    } else if (rx->option_left == STEP_LENGTH) {
        bool bad = octet < 2 || (rx->option_kind == OPTION_MSS && octet != 4);
        rx->option_left = bad ? STEP_OVER : (uint8_t)(octet - 2);
        if (rx->option_kind == OPTION_MSS && !bad)
            rx->mss = 0;
    } else if (rx->option_left != STEP_OVER) {
        rx->option_left--;
        if (rx->option_kind == OPTION_MSS)
            rx->mss = (uint16_t)(rx->mss << 8 | octet);
    }
    if (rx->option_left == 0)
        rx->option_left = STEP_KIND;
}

void tcp_options(const uint8_t *octets, uint16_t len)
{
    for (uint16_t i = 0; i < len; i++)
        option_octet(&whit.rx, octets[i]);
}
