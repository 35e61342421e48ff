// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="tell"/>
     <properties persistence="volatile" content-type="application/octet-stream"/>
   </generator> */
// S4: the same, by index.
#include "content.h"

static char tell(struct args_t *args, uint32_t index, uint16_t length)
{
    (void)args;
    write_octets(index, LARGE - index < length ? LARGE : index + length);
    return 1;
}
