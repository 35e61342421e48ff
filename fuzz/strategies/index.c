// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args><arg name="len" type="uint16"/></args>
   </generator> */
// S4 by index.
#include "said.h"

#define LINE_LEN 12    // "X 0 00000 .", LF

static char line_at(uint16_t len, uint8_t at)
{
    uint16_t digits = len;
    if (at < 4 || at > 8)
        return "X 0 ----- .\n"[at];
    for (; at != 8; at++)
        digits /= 10;
    return (char)('0' + digits % 10);
}

static char write(struct args_t *args, uint32_t index, uint16_t length)
{
    for (; length != 0 && index < LINE_LEN + (uint32_t)args->len; length--, index++)
        out_c(index < LINE_LEN ? line_at(args->len, (uint8_t)index) : octet_at(index - LINE_LEN));
    return 1;
}
