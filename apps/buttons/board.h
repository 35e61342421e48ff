// SPDX-License-Identifier: MIT
// The function that the application needs from its board. A port with keys has it; board.c replaces it elsewhere.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_HAS_NO_BUTTONS 0x8000

// A bit for each key that is held down: A, B, Select, Start, Right, Left, Up, Down, R, L from bit 0 on.
uint16_t board_buttons(void);

#endif
