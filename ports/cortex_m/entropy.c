// SPDX-License-Identifier: MIT
// The board has no source of entropy, and a counter is not one: the octets come from the emulator's host. A product
// uses the random generator of its microcontroller, after its start-up tests have passed. Without a generator, it
// hashes a secret that was written at production together with a count of starts in persistent memory. The count is
// incremented before the hash is used. RFC 6528, section 3: an attacker must not be able to compute the result, and it
// must differ after each start.
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
