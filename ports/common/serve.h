// SPDX-License-Identifier: MIT
#ifndef SERVE_H
#define SERVE_H

// Where a board's start-up ends: opens persistent memory and the link, says "ready" on the console, and serves.
_Noreturn void serve(void);

#endif
