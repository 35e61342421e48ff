// SPDX-License-Identifier: MIT
// The request log. Lines wait in a ring for the serial line, which the loop feeds when it is idle. The newest lines
// also go to the screen. A line without room is dropped as a whole; the number of dropped lines precedes the next one.
#include <string.h>

#include "clock.h"
#include "console.h"
#include "pc.h"
#include "screen.h"
#include "whit/port.h"

#define RING 16384u           // octets, a power of two
#define ROOM_FOR_WORDS 80u    // for the words that are put before or after a line
#define SHOWN 16u             // lines on the screen

static char ring[RING];
static uint32_t first, cnt;
static uint32_t line_cnt, shown_cnt, dropped_cnt;
static struct {
    char octets[SCREEN_COLUMNS];
    uint8_t len;
} newest[SHOWN];    // the oldest is that of line_cnt

static void keep(const char *octets, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        ring[(first + cnt++) % RING] = octets[i];
}

static void keep_words(const char *before, uint32_t number, const char *after)
{
    char digits[NUMBER_LEN];
    const char *text = number_text(digits, number);
    keep(before, strlen(before));
    keep(text, strlen(text));
    keep(after, strlen(after));
}

void whit_port_log(const char *line, uint16_t len)
{
    uint16_t shown = len < SCREEN_COLUMNS ? len : SCREEN_COLUMNS;
    memcpy(newest[line_cnt % SHOWN].octets, line, shown);
    newest[line_cnt % SHOWN].len = (uint8_t)shown;
    bool is_first = line_cnt++ == 0;
    if (cnt + len + ROOM_FOR_WORDS > RING) {
        dropped_cnt++;
        return;
    }
    if (dropped_cnt != 0)
        keep_words("(", dropped_cnt, " lines of the log dropped here)\n");
    dropped_cnt = 0;
    keep(line, len);
    if (is_first)
        keep_words("the first answer ", clock_since_start_ms(), " ms after the start\n");
}

bool log_step(void)
{
    while (cnt != 0 && board_put(ring[first])) {
        first = (first + 1) % RING;
        cnt--;
    }
    return cnt != 0;
}

void log_show(void)
{
    if (line_cnt - shown_cnt > SHOWN)
        shown_cnt = line_cnt - SHOWN;
    for (; shown_cnt != line_cnt; shown_cnt++)
        screen_line(newest[shown_cnt % SHOWN].octets, newest[shown_cnt % SHOWN].len);
}
