// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="get_contact"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="id" type="uint8"/></args>
   </generator> */
// A contact as it is stored, or a minus.
#include "contacts.h"

static char get_contact(struct args_t *args)
{
    char contact[CONTACT_LEN];

    if (contact_read(args->id, contact, CONTACT_LEN))
        out_mem(contact, CONTACT_LEN);
    else
        out_c('-');
    return 1;
}
