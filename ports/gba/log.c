// SPDX-License-Identifier: MIT
// The request log on the debug console of mGBA, which takes a line at once. The console itself has none: nothing is
// written there.
#include "registers.h"
#include "whit/port.h"

void whit_port_log(const char *line, uint16_t len)
{
    DEBUG_ENABLE = DEBUG_ASK;
    if (DEBUG_ENABLE != DEBUG_THERE)
        return;
    uint16_t end = len - 1u < DEBUG_LEN - 1u ? (uint16_t)(len - 1u) : DEBUG_LEN - 1;    // without the line feed
    for (uint16_t at = 0; at < end; at++)
        DEBUG_TEXT[at] = line[at];
    DEBUG_TEXT[end] = 0;
    DEBUG_SEND = DEBUG_INFO;
}
