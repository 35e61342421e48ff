// SPDX-License-Identifier: MIT
// What must hold at a place, whatever a packet said. Test builds look, and end with what was broken; others have nothing of it.
#ifndef WHIT_HOLDS_H
#define WHIT_HOLDS_H

#ifdef WHIT_CHECKED
void whit_broken(const char *what);    // of the port: says it and ends the program
#define HOLDS(condition) ((condition) ? (void)0 : whit_broken(#condition))
#else
#define HOLDS(condition) ((void)0)
#endif

#endif
