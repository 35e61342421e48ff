// SPDX-License-Identifier: MIT
// The fixed octets of heads, with their sums.
#ifndef WHIT_STATUS_H
#define WHIT_STATUS_H

#include "../base/limits.h"
#include "whit/port.h"

// What follows the version in a status line.
#define CODE_LEN (WHIT_HAS_PAGES ? 37 : 6)    // octets at most
struct code {
    uint8_t octets[CODE_LEN];
    uint16_t sum;
#if WHIT_HAS_PAGES
    uint8_t len;
#endif
};
extern const struct code status_codes[];    // by enum http_status
static inline uint8_t code_len(uint8_t status)
{
#if WHIT_HAS_PAGES
    return whit_flash_u8(&status_codes[status].len);
#else
    (void)status;
    return CODE_LEN;
#endif
}

struct text {
    const uint8_t *octets;
    uint16_t sum;
    uint8_t len;
};
#define VERSION_LEN 9
#define CLOSE_LEN 19
#define EMPTY_LEN 21
#define KEEP_ALIVE_LEN (sizeof WHIT_KEEP_ALIVE_LINES - 1)
extern const struct text text_version, text_close, text_keep_alive, text_empty, text_chunked, text_blank, text_location;
extern const struct text text_allow_get, text_allow_post;    // instead of text_empty, of HTTP_405 and those after it

#endif
