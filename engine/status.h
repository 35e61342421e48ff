// SPDX-License-Identifier: MIT
// The fixed octets of heads, with their sums.
#ifndef WHIT_STATUS_H
#define WHIT_STATUS_H

#include <stdint.h>

struct text {
    const uint8_t *octets;
    uint16_t sum;
    uint8_t len;
};
extern const struct text status_lines[];    // by enum http_status; 405's has its Allow with it
extern const struct text text_close, text_empty, text_chunked, text_blank;

#endif
