// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="persistent" content-type="application/octet-stream"/>
   </generator> */
// S1: small output with side effects.
#include "content.h"

static char tell(struct args_t *args)
{
    (void)args;
    write_octets(0, SMALL);
    return 1;
}
