// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/json; charset=utf-8"/>
     <args><arg name="id" type="uint16" source="path"/></args>
   </generator> */
// The argument may be in the path.
#include <whit/app.h>

static char tell(struct args_t *args)
{
    out_uint(args->id);
    return 1;
}
