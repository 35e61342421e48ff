// SPDX-License-Identifier: MIT
// The request log on standard error. A reader that is slow, or gone, does not hold the server up: its lines are dropped
// and counted.
#include "console.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_open;
static unsigned dropped_cnt;

void console_open(void)
{
    is_open = true;
    signal(SIGPIPE, SIG_IGN);
}

// A pipe that is ready takes PIPE_BUF octets (4096) without waiting.
static bool is_ready(void)
{
    struct pollfd err = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&err, 1, 0) == 1 && (err.revents & POLLOUT) != 0;
}

void console_line(const char *line, uint16_t len)
{
    char text[1024];
    int before_len = 0;
    if (!is_open)
        return;
    if (dropped_cnt != 0)
        before_len = snprintf(text, sizeof text, "(%u line%s of the log dropped here)\n", dropped_cnt,
                              dropped_cnt == 1 ? "" : "s");
    if ((size_t)before_len + len > sizeof text || !is_ready()) {
        dropped_cnt++;
        return;
    }
    memcpy(text + before_len, line, len);
    ssize_t put_len = write(STDERR_FILENO, text, (size_t)before_len + len);
    dropped_cnt = put_len == before_len + len ? 0 : dropped_cnt + 1;
}
