// SPDX-License-Identifier: MIT
// Tells where a Linux process crashed.
#ifndef WHIT_DRIVERS_CRASH_H
#define WHIT_DRIVERS_CRASH_H

// Prints the calls when a signal reports a mistake in the program. The output is "crash", and the addresses in the
// image in hexadecimal, innermost first. Then the process ends as before.
void crash_catch(void);

#endif
