// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
     <args><arg name="length" type="uint32"/></args>
   </generator> */
// S4 by index: nothing of it is kept. length: octets.
#include "whit/app.h"

static char tell(struct args_t *args, uint32_t index, uint16_t length)
{
    if (args->length - index < length)
        length = (uint16_t)(args->length - index);
    while (length-- > 0)
        out_c(0);
    return 1;
}
