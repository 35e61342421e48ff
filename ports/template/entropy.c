// SPDX-License-Identifier: MIT
// Where the engine's secret comes from. It asks once a start, for 16 octets.
#include "board.h"
#include "whit/port.h"

// An octet that nobody else can compute, from a generator in hardware that passed its start-up test. False: there is none.
static bool random_octet(uint8_t *octet)
{
    (void)octet;
    return false;
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++)
        if (!random_octet(&to[i]))
            board_end("no entropy; without it nobody is safe from forged connections");
}
