// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="add_contact"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="contact" type="str" size="29" octets="true"/></args>
   </generator> */
// Stores a contact and writes its number in two digits, or "--" if there is no room.
#include "contacts.h"

static char add_contact(struct args_t *args)
{
    uint8_t id = 0;
    char first;

    while (contact_read(id, &first, 1))
        id++;
    if (id == CONTACT_CNT || !persistent_write(CONTACT_ADDRESS(id), args->contact, CONTACT_LEN)) {
        out_c('-');
        out_c('-');
        return 1;
    }
    out_c((char)('0' + id / 10));
    out_c((char)('0' + id % 10));
    return 1;
}
