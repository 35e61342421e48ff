// SPDX-License-Identifier: MIT
// Octets of the link to the layer that wants them.
#ifndef WHIT_FRONT_FRONT_H
#define WHIT_FRONT_FRONT_H

#include <stdbool.h>
#include <stdint.h>

// dispatch.c, line_*.c
void dispatch_octets(const uint8_t *octets, uint16_t len);
void dispatch_end(void);                       // the frame ended
void line_begin(void);
void line_input(const uint8_t *octets, uint16_t len);

#endif
