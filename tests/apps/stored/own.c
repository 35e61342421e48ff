// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="own"/>
     <args><arg name="address" type="uint16"/><arg name="cnt" type="uint8"/></args>
   </generator> */
// True if the application may read and write there.
#include "whit/app.h"

static char own(struct args_t *args)
{
    uint8_t octets[8] = {0};

    if (args->cnt > sizeof octets)
        return 0;
    out_uint(persistent_read(args->address, octets, args->cnt));
    out_uint(persistent_write(args->address, octets, args->cnt));
    return 1;
}
