// SPDX-License-Identifier: MIT
// Octets of the link to the layer that wants them.
#ifndef WHIT_ENGINE_TURNS_H
#define WHIT_ENGINE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

// engine.c, line_*.c
void dispatch_octets(const uint8_t *octets, uint16_t len);    // octets of a frame, in any split
void dispatch_end(void);                                      // the frame ended
void line_begin(void);                                        // a new frame begins
void line_input(const uint8_t *octets, uint16_t len);         // octets of the line, with SLIP's framing

#endif
