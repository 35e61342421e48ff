// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
     <args><arg name="len" type="uint32"/></args>
   </generator> */
// S4 without state.
#include "say.h"

static char write(struct args_t *args, uint32_t index, uint16_t length)
{
    for (; length != 0 && index < args->len; length--)
        out_c(octet_at(index++));
    return 1;
}
