// SPDX-License-Identifier: MIT
#ifndef SERVE_H
#define SERVE_H

// The end of a board's start-up: opens persistent memory and the link, prints "ready" on the console, and serves.
_Noreturn void serve(void);

#endif
