// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="persistent" content-type="application/octet-stream"/>
     <args><arg name="id" type="uint16"/><arg name="len" type="uint16"/></args>
   </generator> */
#include "say.h"

static char tell(struct args_t *args)
{
    uint8_t stamp = effect(args->id);

    out_c((char)stamp);
    for (uint32_t i = 0; i < args->len; i++)
        out_c(octet_at(i, stamp));
    return 1;
}
