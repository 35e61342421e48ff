// SPDX-License-Identifier: MIT
// A serial line whose other side is held by RTS while a frame goes out. While something comes in, nothing of ours goes
// out: what it says may well be worth more, and it would wait at RTS for all of ours.
#ifndef WHIT_COMMON_QUIET_H
#define WHIT_COMMON_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "whit_limits.h"

// a line on which nothing has come for so long is quiet: two octets and more
#define QUIET_MS (2 + 20000 / WHIT_BOARD_BAUD)

void quiet_heard(void);    // octets came
void quiet_sent(void);     // a frame was sent: none could be received in that time
bool quiet_now(void);      // the line to us is quiet, or has been awaited for long

#endif
