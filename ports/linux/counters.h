// SPDX-License-Identifier: MIT
// The engine's counters by name.
#ifndef WHIT_LINUX_COUNTERS_H
#define WHIT_LINUX_COUNTERS_H

// Prints every counter that is not zero, one a line.
void counters_print(void);

#endif
