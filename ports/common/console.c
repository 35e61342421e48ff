// SPDX-License-Identifier: MIT
// The request log on a console that takes an octet at a time, such as a UART. Lines wait in a ring, and the loop writes
// them when it is idle. A line without room is dropped as a whole, and counted.
#include "console.h"

#include <stdint.h>

#include "whit/port.h"

#define RING 512    // octets
static char ring[RING];
static uint16_t first, cnt, dropped_cnt;

static void keep(const char *octets, uint16_t len)
{
    for (uint16_t i = 0; i < len; i++)
        ring[(uint16_t)(first + cnt++) % RING] = octets[i];
}

static void keep_number(uint16_t number)
{
    char digits[5];
    uint8_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    keep(digits + at, (uint16_t)(sizeof digits - at));
}

void whit_port_log(const char *line, uint16_t len)
{
    static const char text[] = " lines of the log dropped here)\n";
    if (cnt + len + (dropped_cnt != 0 ? 6 + sizeof text : 0) > RING) {
        dropped_cnt = (uint16_t)(dropped_cnt + (dropped_cnt != UINT16_MAX));
        return;
    }
    if (dropped_cnt != 0) {
        keep("(", 1);
        keep_number(dropped_cnt);
        keep(text, sizeof text - 1);
        dropped_cnt = 0;
    }
    keep(line, len);
}

bool log_step(void)
{
    while (cnt != 0 && board_put(ring[first])) {
        first = (uint16_t)((first + 1) % RING);
        cnt--;
    }
    return cnt != 0;
}
