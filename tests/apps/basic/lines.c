// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write_lines"/>
     <properties persistence="idempotent" content-type="text/plain"/>
     <args><arg name="cnt" type="uint16"/></args>
   </generator> */
// Writes `cnt` lines of 16 octets.
#include "whit/app.h"

static char write_lines(struct args_t *args)
{
    for (uint16_t i = 0; i < args->cnt; i++) {
        out_str("line ");
        out_uint(UINT32_C(1000000000) + i);
        out_c('\n');
    }
    return 1;
}
