// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
     <args><arg name="id" type="uint8"/></args>
   </generator> */
// S2: small output that is to be fresh.
#include "content.h"

static char tell(struct args_t *args)
{
    (void)args;
    write_octets(0, SMALL);
    return 1;
}
