// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/octet-stream"/>
   </generator> */
// A million octets, each a hash of its place.
#include <whit/app.h>

#define BIG 1000000

static char tell(struct args_t *args, uint32_t index, uint16_t length)
{
    (void)args;
    for (; length != 0 && index < BIG; length--, index++)
        out_c((char)(index * UINT32_C(2654435761) >> 24));
    return 1;
}
