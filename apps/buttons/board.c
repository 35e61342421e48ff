// SPDX-License-Identifier: MIT
// For boards without keys.
#include "board.h"

__attribute__((weak)) uint16_t board_buttons(void)
{
    return BOARD_HAS_NO_BUTTONS;
}
