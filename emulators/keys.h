// SPDX-License-Identifier: MIT
// A console's keys, pressed by lines on standard input: "press A", "release A". More than one may be held down.
#ifndef WHIT_EMULATOR_KEYS_H
#define WHIT_EMULATOR_KEYS_H

void keys_open(void);
void keys_poll(void);    // takes the lines that have come

#endif
