// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="begin" doGet="write"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/><arg name="grows" type="bool" optional="true"/></args>
   </generator> */
// S2 while one segment carries it, else S1. Another letter each time; grows: more octets as well.
#include "said.h"

static uint8_t runs;

static char begin(void)
{
    runs = 0;
    return 1;
}

static char write(struct args_t *args)
{
    runs++;
    say('V', 0, args->len + (args->grows ? runs % 16u : 0), (char)('a' + runs % 26));
    return 1;
}
