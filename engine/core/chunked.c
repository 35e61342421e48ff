// SPDX-License-Identifier: MIT
// One grammar for the bodies of requests (body.c) and for responses to the server's own requests (http_get.c).
#include "buffer.h"
#include "grammar.h"
#include "text.h"
#include "whit/port.h"

// A step, the octet or enum whit_class that it takes, and the step after it. Blanks after a size are taken (RFC 9112
// section 7.1.1).
#define STEP(step, octet, next) TRANSFER_##step, octet, TRANSFER_##next
static const uint8_t steps[] WHIT_FLASH = {
    STEP(CHUNK_CR, '\r', CHUNK_LF),
    STEP(CHUNK_LF, '\n', SIZE),
    STEP(SIZE, CLASS_HEX, DIGITS),
    STEP(DIGITS, CLASS_HEX, DIGITS),
    STEP(DIGITS, CLASS_OWS, BLANKS),
    STEP(DIGITS, ';', EXTENSION),
    STEP(DIGITS, '\r', SIZE_LF),
    STEP(BLANKS, CLASS_OWS, BLANKS),
    STEP(BLANKS, ';', EXTENSION),
    STEP(BLANKS, '\r', SIZE_LF),
    STEP(EXTENSION, CLASS_VALUE, EXTENSION),
    STEP(EXTENSION, '\r', SIZE_LF),
    STEP(SIZE_LF, '\n', CHUNK),
    STEP(TRAILER, CLASS_TCHAR, TRAILER_NAME),
    STEP(TRAILER, '\r', END_LF),
    STEP(TRAILER_NAME, CLASS_TCHAR, TRAILER_NAME),
    STEP(TRAILER_NAME, ':', TRAILER_LINE),
    STEP(TRAILER_LINE, CLASS_VALUE, TRAILER_LINE),
    STEP(TRAILER_LINE, '\r', TRAILER_LF),
    STEP(TRAILER_LF, '\n', TRAILER),
    STEP(END_LF, '\n', DONE),
};

__attribute__((noinline)) uint8_t chunked_step(uint8_t step, uint8_t c, uint32_t *size)
{
    uint8_t next = TRANSFER_WRONG, small = c >= 'A' ? c | 0x20 : c;
    for (const uint8_t *at = steps; at != steps + sizeof steps; at += 3) {
        uint8_t one = whit_flash_u8(at + 1);
        if (whit_flash_u8(at) == step && (one < CLASS_CNT ? in_class(one, one == CLASS_HEX ? small : c) : one == c)) {
            next = whit_flash_u8(at + 2);
            break;
        }
    }
    if (next == TRANSFER_DIGITS) {
        if (*size > UINT32_C(0x0fffffff))
            return TRANSFER_WRONG;
        *size = *size * 16 + hex_value(small);
    }
    return next == TRANSFER_CHUNK && *size == 0 ? TRANSFER_TRAILER : next;
}
