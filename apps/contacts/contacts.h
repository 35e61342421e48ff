// SPDX-License-Identifier: MIT
// The address book in persistent memory: CONTACT_CNT records, one behind the other. A record is in use when its name
// is not empty. It is written once, in one piece, and never changed, so its index serves as the contact's id.
#ifndef CONTACTS_H
#define CONTACTS_H

#include "whit/app.h"

#define CONTACT_CNT 14

// UTF-8, each closed by a NUL.
struct contact {
    char name[24];
    char phone[16];
    char mail[32];
};

// The memory that app.toml asks for: [persistent] size.
_Static_assert(CONTACT_CNT * sizeof(struct contact) <= 1024, "the records do not fit into the persistent memory");

#define CONTACT_ADDRESS(id) ((uint16_t)((id) * sizeof(struct contact)))

// Writes a JSON string (RFC 8259 section 7): `text` up to its NUL, or `size` octets when there is none.
static inline void json_string(const char *text, uint8_t size)
{
    out_c('"');
    for (uint8_t i = 0; i < size && text[i] != '\0'; i++) {
        uint8_t octet = (uint8_t)text[i];

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
