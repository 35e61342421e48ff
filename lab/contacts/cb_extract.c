// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="extract_contacts"/>
     <properties persistence="volatile" content-type="application/json"/>
   </generator> */
// The names of all contacts as a list, any part of it (EMSOFT 2009, algorithm 2): 22 octets each, and one.
#include "contacts.h"

#define ENTRY_LEN (NAME_LEN + 3)

static char extract_contacts(struct args_t *args, uint32_t index, uint16_t length)
{
    char entry[ENTRY_LEN] = {0, '"'};
    uint8_t id = (uint8_t)((uint16_t)index / ENTRY_LEN);
    uint8_t at = (uint8_t)((uint16_t)index % ENTRY_LEN);

    (void)args;
    entry[ENTRY_LEN - 1] = '"';
    for (; contact_read(id, entry + 2, NAME_LEN); id++, at = 0) {
        uint8_t cnt = (uint8_t)(ENTRY_LEN - at);

        entry[0] = id == 0 ? '[' : ',';
        if (length <= cnt) {
            out_mem(entry + at, length);
            return 1;
        }
        out_mem(entry + at, cnt);
        length -= cnt;
    }
    if (at == 0)
        out_c(']');
    return 1;
}
