// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="get_contact"/>
     <properties persistence="idempotent" content-type="application/json"/>
     <args><arg name="id" type="uint8"/></args>
   </generator> */
// One contact: {"name":"Ada","phone":"+44 20 7946","mail":"ada@example.org"}, or null where no contact has this id.
#include <whit/app.h>

static const char nobody[] WHIT_FLASH = "null";
static const char begin_name[] WHIT_FLASH = "{\"name\":";
static const char begin_phone[] WHIT_FLASH = ",\"phone\":";
static const char begin_mail[] WHIT_FLASH = ",\"mail\":";

static char get_contact(struct args_t *args)
{
    if (!persistent_has_contact(args->id)) {
        out_flash(nobody);
        return 1;
    }
    out_flash(begin_name);
    PERSISTENT_CONTACT_JSON(args->id, name);
    out_flash(begin_phone);
    PERSISTENT_CONTACT_JSON(args->id, phone);
    out_flash(begin_mail);
    PERSISTENT_CONTACT_JSON(args->id, mail);
    out_c('}');
    return 1;
}
