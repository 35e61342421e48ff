// SPDX-License-Identifier: MIT
// The address book in persistent memory: CONTACT_CNT records, one behind the other. A record is in use when its name
// is not empty. It is written once, in one piece, and never changed, so its index serves as the contact's id.
#ifndef CONTACTS_H
#define CONTACTS_H

#include <stddef.h>

#include "whit/app.h"

#define CONTACT_CNT 14

// UTF-8, each closed by a NUL.
struct contact {
    char name[24];
    char phone[24];
    char mail[32];
};

// The memory that app.toml asks for: [persistent] size.
_Static_assert(CONTACT_CNT * sizeof(struct contact) <= 1120, "the records do not fit into the persistent memory");

#define CONTACT_ADDRESS(id) ((uint16_t)((id) * sizeof(struct contact)))
#define FIELD_ADDRESS(id, field) ((uint16_t)(CONTACT_ADDRESS(id) + offsetof(struct contact, field)))
#define FIELD_SIZE(field) ((uint8_t)sizeof ((struct contact *)0)->field)

// Whether there is such a contact.
static inline bool contact_exists(uint8_t id)
{
    char first;

    return id < CONTACT_CNT && persistent_read(CONTACT_ADDRESS(id), &first, 1) && first != '\0';
}

// Writes a JSON string (RFC 8259 section 7): the text at `address` up to its NUL, or `size` octets when there is none. An octet
// at a time, as a device's stack is small.
static inline void json_string(uint16_t address, uint8_t size)
{
    uint8_t octet;

    out_c('"');
    for (; size != 0 && persistent_read(address, &octet, 1) && octet != '\0'; size--, address++) {
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
