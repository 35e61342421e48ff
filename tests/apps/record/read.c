// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="read"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
   </generator> */
#include <whit/app.h>

static char read(struct args_t *args)
{
    uint8_t record[32];

    (void)args;
    if (!persistent_read(0, record, sizeof record))
        return 0;
    out_mem(record, sizeof record);
    return 1;
}
