// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="fill"/>
     <args><arg name="address" type="uint16"/><arg name="cnt" type="uint8"/></args>
   </generator> */
// Writes that many ones without a name.
#include <string.h>

#include <whit/app.h>

static char fill(struct args_t *args)
{
    uint8_t octets[255];

    memset(octets, 0xff, sizeof octets);
    out_uint(persistent_write(args->address, octets, args->cnt));
    out_uint(persistent_write(0, octets, 5));
    out_uint(persistent_read(4, octets, 1));
    return 1;
}
