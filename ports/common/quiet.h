// SPDX-License-Identifier: MIT
// A serial line whose peer is held by RTS while a frame is sent. While octets are received, nothing is sent: the peer
// would have to wait at RTS for our whole frame.
#ifndef WHIT_COMMON_QUIET_H
#define WHIT_COMMON_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "whit_limits.h"

// a line without octets for this time is quiet: two octets and more
#define QUIET_MS (2 + 20000 / WHIT_BOARD_BAUD)

void quiet_heard(void);    // octets came
void quiet_sent(void);     // a frame was sent: none could be received in that time
bool quiet_now(void);      // the line to us is quiet, or has been awaited for long

#endif
