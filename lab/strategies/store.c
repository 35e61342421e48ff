// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="store" doGet="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// S0: content that is fixed at run time, when the engine starts.
#include "content.h"
#include "whit_stored.h"

static char store(void)
{
    uint16_t ticket = stored_begin(STORED_S0S_8K_BIN);

    for (uint32_t at = 0; at < LARGE; at++) {
        char octet = octet_at(at);
        if (!stored_add(ticket, &octet, 1))
            return 0;
    }
    return stored_end(ticket);
}

static char tell(struct args_t *args)
{
    (void)args;
    out_uint(stored_len(STORED_S0S_8K_BIN));
    return 1;
}
