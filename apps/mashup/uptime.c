// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/json"/>
   </generator> */
// Something that changes, for a server that asks itself.
#include <whit/app.h>

static char tell(struct args_t *args)
{
    (void)args;
    out_str("{\"uptime_s\": ");
    out_uint(TIME_MILLIS / 1000);
    out_str("}\n");
    return 1;
}
