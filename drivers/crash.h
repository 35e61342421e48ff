// SPDX-License-Identifier: MIT
// Tells where a Linux process crashed.
#ifndef WHIT_DRIVERS_CRASH_H
#define WHIT_DRIVERS_CRASH_H

// A signal of a mistake in the program prints a line of what was called, innermost first, on standard output: "crash",
// and the places in the image in hexadecimal. Then it ends the process as before.
void crash_catch(void);

#endif
