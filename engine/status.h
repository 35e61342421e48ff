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
extern const struct text status_texts[];    // by enum http_status: "200 OK" and the line's end; an error's content too
extern const struct text text_version, text_close, text_allow, text_error_head;

#endif
