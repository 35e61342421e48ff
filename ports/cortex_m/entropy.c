// SPDX-License-Identifier: MIT
// The board has no source of entropy, and a counter alone does not make one: the emulator's host lends its own. A product takes the
// generator of its microcontroller, after that has passed its start-up tests. One that has none hashes a secret that was put into
// it when it was made, together with a counter of its starts in persistent memory that goes up before the hash is used (RFC 6528,
// section 3: what counts is that nobody else can compute it, and that it differs after each start).
#include "board.h"
#include "semihosting.h"
#include "whit/port.h"

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    int32_t file = semihosting_open("/dev/urandom", SEMIHOSTING_READ);
    if (file < 0 || !semihosting_read(file, to, len))
        board_end("the host lends no entropy; without it nobody is safe from forged connections");
    semihosting_close(file);
}
