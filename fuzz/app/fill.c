// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="fill_init" doGet="fill"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="n" type="uint16"/></args>
   </generator> */
// Writes `n` octets, another one each time that it runs.
#include "whit/app.h"

static char octet;

static char fill_init(void)
{
    octet = 0;
    return 1;
}

static char fill(struct args_t *args)
{
    octet = (char)('a' + (octet + 1) % 26);
    for (uint16_t i = 0; i < args->n; i++)
        out_c(octet);
    return 1;
}
