// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="octet" type="uint8"/></args>
   </generator> */
// The whole record becomes that octet, in one write.
#include <string.h>

#include <whit/app.h>

static char write(struct args_t *args)
{
    uint8_t record[32];

    memset(record, args->octet, sizeof record);
    return persistent_write(0, record, sizeof record);
}
