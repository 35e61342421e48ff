// SPDX-License-Identifier: MIT
// The fixed octets of heads, with their sums.
#ifndef WHIT_STATUS_H
#define WHIT_STATUS_H

#include <stdint.h>

// What follows the version in a status line.
#define CODE_LEN 6
struct code {
    uint8_t octets[CODE_LEN];
    uint16_t sum;
};
extern const struct code status_codes[];    // by enum http_status

struct text {
    const uint8_t *octets;
    uint16_t sum;
    uint8_t len;
};
extern const struct text text_version, text_close, text_empty, text_chunked, text_blank;
extern const struct text text_allow_get, text_allow_post;    // instead of text_empty, of HTTP_405 and those behind it

#endif
