// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="volatile"/>
     <args><arg name="len" type="uint32"/></args>
   </generator> */
// S4 with another output of the same length in each run: another letter.
#include <whit/app.h>

static uint8_t runs;

static char write(struct args_t *args, uint32_t index, uint16_t length)
{
    runs++;
    for (; length != 0 && index < args->len; length--, index++)
        out_c((char)('a' + runs % 26));
    return 1;
}
