// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/octet-stream"/>
   </generator> */
// S2: output of an idempotent generator that writes all of it.
#include "content.h"

static char tell(struct args_t *args)
{
    (void)args;
    write_octets(0, LARGE);
    return 1;
}
