// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="extract_contacts"/>
     <properties persistence="idempotent" content-type="application/json"/>
   </generator> */
// The names of all contacts: [{"id":0,"name":"Ada"},{"id":1,"name":"Grace"}].
#include <whit/app.h>

static const char begin_id[] WHIT_FLASH = "{\"id\":";
static const char begin_name[] WHIT_FLASH = ",\"name\":";

static char extract_contacts(struct args_t *args)
{
    char separator = '[';

    (void)args;
    for (uint8_t id = 0; id < PERSISTENT_CONTACT_CNT; id++) {
        if (!persistent_has_contact(id))
            continue;
        out_c(separator);
        separator = ',';
        out_flash(begin_id);
        out_uint(id);
        out_flash(begin_name);
        PERSISTENT_CONTACT_JSON(id, name);
        out_c('}');
    }
    if (separator == '[')
        out_c('[');
    out_c(']');
    return 1;
}
