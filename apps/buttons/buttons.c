// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
   </generator> */
// Writes the keys that are held down now, as two bytes, the low one first: see board.h.
#include <whit/app.h>

#include "board.h"

static char tell(struct args_t *args)
{
    (void)args;
    uint16_t buttons = board_buttons();
    out_c((char)(buttons & 0xff));
    out_c((char)(buttons >> 8));
    return 1;
}
