// SPDX-License-Identifier: MIT
// The source of the engine's secret, which calls it once at each start for 16 octets.
#include "board.h"
#include "whit/port.h"

// An octet of a hardware random generator that has passed its start-up test. False: there is no such generator.
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
