// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="idempotent" content-type="application/octet-stream"/>
     <args><arg name="id" type="uint16"/><arg name="len" type="uint16"/></args>
   </generator> */
#include "say.h"

static char tell(struct args_t *args, uint32_t index, uint16_t length)
{
    uint8_t stamp = (uint8_t)args->id;

    for (; length != 0 && index < args->len; length--)
        out_c(octet_at(index++, stamp));
    return 1;
}
