// SPDX-License-Identifier: MIT
// Ends a Linux process by SIGINT and SIGTERM. They are blocked except while it waits, so that none arrives between a
// check and a sleep.
#ifndef WHIT_DRIVERS_SIGNALS_H
#define WHIT_DRIVERS_SIGNALS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

void signals_catch(void);

// Treats the parent's end as such a signal too, until the user changes. parent: parent when the process began.
void signals_end_with_parent(pid_t parent);

// True if a signal has arrived. A busy link keeps the process from waiting; then the signal is still pending.
bool signals_must_end(void);

// poll() during which the signals may arrive.
int signals_poll(struct pollfd *fds, unsigned fd_cnt, uint32_t ms);

#endif
