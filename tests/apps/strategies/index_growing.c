// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
   </generator> */
// S4 with a longer output once the gate is open: 2 000 octets instead of 30.
#include "say.h"

extern bool gate;

static char write(struct args_t *args, uint32_t index, uint16_t length)
{
    (void)args;
    for (; length != 0 && index < (gate ? 2000 : 30); length--, index++)
        out_c(octet_at(index));
    return 1;
}
