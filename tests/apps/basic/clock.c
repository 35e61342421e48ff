// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="text/plain"/>
   </generator> */
// Says another number each time that it runs.
#include "whit/app.h"

static uint32_t now;

static char tell(struct args_t *args)
{
    (void)args;
    out_str("now ");
    out_uint(UINT32_C(100000) + now++);
    return 1;
}
