// SPDX-License-Identifier: MIT
#include "quiet.h"
#include "whit/port.h"

#define HELD_MS 500    // a line that is not quiet is waited for no longer

static uint16_t heard_ms;    // last received octets, or the end of our last frame
static uint16_t quiet_ms;    // last time the line was found quiet

void quiet_heard(void)
{
    heard_ms = (uint16_t)whit_port_now_ms();
}

void quiet_sent(void)
{
    heard_ms = quiet_ms = (uint16_t)whit_port_now_ms();
}

bool quiet_now(void)
{
    uint16_t now_ms = (uint16_t)whit_port_now_ms();
    if ((uint16_t)(now_ms - heard_ms) < QUIET_MS)
        return (uint16_t)(now_ms - quiet_ms) > HELD_MS;
    quiet_ms = now_ms;
    return true;
}
