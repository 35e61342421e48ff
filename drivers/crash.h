// SPDX-License-Identifier: MIT
// Tells where a Linux process crashed.
#ifndef WHIT_DRIVERS_CRASH_H
#define WHIT_DRIVERS_CRASH_H

// Prints the calls, innermost first, when a signal reports a mistake in the program: "crash" on standard output, and
// the addresses in the image in hexadecimal. Then the process ends as before.
void crash_catch(void);

#endif
