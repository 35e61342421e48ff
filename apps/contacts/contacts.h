// SPDX-License-Identifier: MIT
// The address book in persistent memory: [persistent.contact] of app.toml. A record is written once and never changed, so its index
// serves as the contact's id.
#ifndef CONTACTS_H
#define CONTACTS_H

#include "whit/app.h"

#define JSON_STRING(id, field) \
    json_string(PERSISTENT_CONTACT_AT(id, field), (uint8_t)sizeof ((struct contact_t *)0)->field)

// Writes a JSON string (RFC 8259 section 7): the text at `address` up to its NUL, or `size` octets when there is none. An octet
// at a time, as a device's stack is small.
static inline void json_string(uint16_t address, uint8_t size)
{
    uint8_t octet;

    out_c('"');
    for (; size != 0 && whit_port_persistent_read(address, &octet, 1) && octet != '\0'; size--, address++) {
        if (octet < 0x20) {
            static const char control[] WHIT_FLASH = "\\u00";

            out_flash(control);
            out_c((char)('0' + (octet >> 4)));
            octet = (uint8_t)((octet & 0x0f) < 10 ? '0' + (octet & 0x0f) : 'a' - 10 + (octet & 0x0f));
        } else if (octet == '"' || octet == '\\') {
            out_c('\\');
        }
        out_c((char)octet);
    }
    out_c('"');
}

#endif
