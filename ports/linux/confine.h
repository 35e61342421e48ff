// SPDX-License-Identifier: MIT
// Drops rights that the server does not need once its link, its data and its keys are open.
#ifndef WHIT_LINUX_CONFINE_H
#define WHIT_LINUX_CONFINE_H

#include <stdbool.h>

// Drops all capabilities for good. A process that sudo began as root becomes the user who called sudo. Call it before
// anything of the network is read. False: one line on stderr names the failure.
bool confine_user(void);

// Makes system calls fail with EPERM, except those of the engine and of a handler that reads and writes files.
// has_sockets: permits those of libslirp. On a kernel without such filters it prints a warning on stderr, and the
// server continues.
void confine_calls(bool has_sockets);

#endif
