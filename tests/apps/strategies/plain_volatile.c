// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
     <args><arg name="len" type="uint16"/><arg name="change" type="uint8" optional="true"/></args>
   </generator> */
// S2. change: 0 the same each time, 1 another letter each time, 2 one octet more each time, 3 another letter when the
// gate is open.
#include "say.h"

extern bool gate;
static uint8_t runs;

static char write(struct args_t *args)
{
    runs++;
    char letter = args->change == 1 ? (char)('a' + runs % 26) : args->change == 3 && gate ? 'b' : 'a';
    out_c(letter);
    for (uint32_t i = 0; i < args->len + (args->change == 2 ? runs % 8u : 0); i++)
        out_c(octet_at(i));
    out_c(letter);
    return 1;
}
