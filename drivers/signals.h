// SPDX-License-Identifier: MIT
// Ends a Linux process by SIGINT and SIGTERM. They are blocked except while it waits, so that none arrives between a check and a sleep.
#ifndef WHIT_DRIVERS_SIGNALS_H
#define WHIT_DRIVERS_SIGNALS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

// with_parent: the parent's end is such a signal too.
void signals_catch(bool with_parent);

// True if a signal has arrived. A busy link keeps the process from waiting; then the signal is still pending.
bool signals_must_end(void);

// poll() during which the signals may arrive.
int signals_poll(struct pollfd *fds, unsigned fd_cnt, uint32_t ms);

#endif
