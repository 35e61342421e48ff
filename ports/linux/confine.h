// SPDX-License-Identifier: MIT
// What the server gives up once its link, its data and its keys are open, so that whoever takes it over has little.
#ifndef WHIT_LINUX_CONFINE_H
#define WHIT_LINUX_CONFINE_H

#include <stdbool.h>

// Gives up all capabilities for good; the user is from then on who called sudo, where the process began as root by it. Call it before
// anything of the network is read. False: one line on stderr says what failed.
bool confine_user(void);

// From then on, system calls that neither the engine nor a handler needs that reads and writes files fail with EPERM. has_sockets:
// libslirp's are left. A kernel without such filters is told on stderr, and the server goes on.
void confine_calls(bool has_sockets);

#endif
