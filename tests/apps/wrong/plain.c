// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell" doPost="tell"/>
     <properties persistence="volatile"/>
     <args><arg name="octet" type="uint8"/></args>
   </generator> */
// Has nothing to do with JSON.
#include <whit/app.h>

static char tell(struct args_t *args)
{
    out_uint(args->octet);
    return 1;
}
