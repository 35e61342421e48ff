// SPDX-License-Identifier: MIT
// Functions of this board for applications.
#include "registers.h"
#include "whit/port.h"

uint16_t board_buttons(void);

// A, B, Select, Start, Right, Left, Up, Down, R, L from bit 0 on.
uint16_t board_buttons(void)
{
    return (uint16_t)(~KEYINPUT & KEYS);
}
