// SPDX-License-Identifier: MIT
// The end of a Linux process by SIGINT and SIGTERM, which are blocked but while it waits: none comes between a look and a sleep.
#ifndef WHIT_DRIVERS_SIGNALS_H
#define WHIT_DRIVERS_SIGNALS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

// with_parent: the parent's death is such a signal too.
void signals_catch(bool with_parent);

// One of them has come. A busy link keeps the process from waiting: then it is still pending.
bool signals_must_end(void);

// poll() in which they may come.
int signals_poll(struct pollfd *fds, unsigned fd_cnt, uint32_t ms);

#endif
