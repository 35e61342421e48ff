// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="store"/>
     <properties persistence="persistent"/>
     <args><arg name="len" type="uint16"/></args>
   </generator> */
// Makes a content that is fixed while the device runs.
#include "say.h"
#include "whit_stored.h"

static char store(struct args_t *args)
{
    uint16_t ticket = stored_begin(STORED_STORED_TXT);

    for (uint16_t i = 0; i < args->len; i++) {
        char octet = octet_at(i);
        if (!stored_add(ticket, &octet, 1))
            return 0;
    }
    if (!stored_end(ticket))
        return 0;
    out_uint(args->len);
    return 1;
}
