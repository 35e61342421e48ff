// SPDX-License-Identifier: MIT
// An address book whose answers have the papers' sizes. A record is in use when its first octet is not 0.
#ifndef CONTACTS_H
#define CONTACTS_H

#include "whit/app.h"

#define CONTACT_CNT 88
#define NAME_LEN 19
#define CONTACT_LEN 28    // octets: the name and a number, without a NUL

#define CONTACT_ADDRESS(id) ((uint16_t)((id) * (uint16_t)CONTACT_LEN))

// Reads the first `len` octets of a contact. False: no such contact.
static inline bool contact_read(uint8_t id, char *to, uint8_t len)
{
    return id < CONTACT_CNT && persistent_read(CONTACT_ADDRESS(id), to, len) && to[0] != '\0';
}

#endif
