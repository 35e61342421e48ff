// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="add_contact"/>
     <properties persistence="persistent" content-type="application/json"/>
     <args record="contact"/>
   </generator> */
// Stores a contact and answers {"id":0}, or {"error":"why it was not stored"}. A text that is no UTF-8 does not come
// here.
#include <whit/app.h>

static const char answer_id[] WHIT_FLASH = "{\"id\":";
static const char answer_no_name[] WHIT_FLASH = "{\"error\":\"A contact needs a name.\"}";
static const char answer_full[] WHIT_FLASH = "{\"error\":\"The address book is full.\"}";

static char add_contact(struct args_t *args)
{
    if (args->contact.name[0] == '\0') {
        out_flash(answer_no_name);
        return 1;
    }
    for (uint8_t id = 0; id < PERSISTENT_CONTACT_CNT; id++) {
        if (persistent_has_contact(id))
            continue;
        if (!persistent_save_contact(id, &args->contact))
            return 0;
        out_flash(answer_id);
        out_uint(id);
        out_c('}');
        return 1;
    }
    out_flash(answer_full);
    return 1;
}
