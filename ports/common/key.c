// SPDX-License-Identifier: MIT
// The key of HTTPS, in its place in flash. An image is built without it: the place has no valid key, and no handshake
// succeeds. `./whit cert put` makes a copy of the image with the key in its place (tools/whit/image/keyed.py).
#include "whit/port.h"

// No number below the order of P-256 begins so.
static const uint8_t key_place[32] WHIT_FLASH = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 'W',  'h',  'i',  't',  'K',  'e',  'y',  'P',  'l',  'a',  'c',  'e',
};

void whit_tls_key(uint8_t key[32])
{
    const uint8_t *from = key_place;
    __asm__("" : "+r"(from));    // to the compiler, these octets are not known
    whit_flash_copy(key, from, sizeof key_place);
}
