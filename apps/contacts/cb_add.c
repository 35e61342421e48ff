// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="add_contact"/>
     <properties persistence="persistent" content-type="application/json"/>
     <args record="contact"/>
   </generator> */
// Stores a contact and answers {"id":0}, or {"error":"why it was not stored"}.
#include "contacts.h"

static const char answer_id[] WHIT_FLASH = "{\"id\":";
static const char answer_no_name[] WHIT_FLASH = "{\"error\":\"A contact needs a name.\"}";
static const char answer_not_utf8[] WHIT_FLASH = "{\"error\":\"This is not UTF-8 text.\"}";
static const char answer_full[] WHIT_FLASH = "{\"error\":\"The address book is full.\"}";

// Whether `text`, up to its NUL, is well-formed (RFC 3629 section 4): what is stored must not spoil the JSON of others.
static bool is_utf8(const char *text)
{
    uint8_t octet;

    while ((octet = (uint8_t)*text++) != 0) {
        uint8_t least = 0x80;     // the second octet lies in least..most,
        uint8_t most = 0xbf;
        uint8_t tail_cnt;         // those behind it in 80..bf

        if (octet < 0x80)
            continue;
        if (octet < 0xc2 || octet > 0xf4)
            return false;
        tail_cnt = octet < 0xe0 ? 1 : octet < 0xf0 ? 2 : 3;
        if (octet == 0xe0)
            least = 0xa0;
        else if (octet == 0xed)
            most = 0x9f;
        else if (octet == 0xf0)
            least = 0x90;
        else if (octet == 0xf4)
            most = 0x8f;
        for (; tail_cnt > 0; tail_cnt--, text++) {
            if ((uint8_t)*text < least || (uint8_t)*text > most)
                return false;
            least = 0x80;
            most = 0xbf;
        }
    }
    return true;
}

static char add_contact(struct args_t *args)
{
    if (args->contact.name[0] == '\0') {
        out_flash(answer_no_name);
        return 1;
    }
    if (!is_utf8(args->contact.name) || !is_utf8(args->contact.phone) || !is_utf8(args->contact.mail)) {
        out_flash(answer_not_utf8);
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
