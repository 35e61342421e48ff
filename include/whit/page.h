// SPDX-License-Identifier: MIT
// Functions that page templates are compiled to (docs/templates.md). C files may use them too. They write text that is
// escaped for its place in HTML, and 64-bit numbers. The PT_ macros work like those of whit/app.h.
#ifndef WHIT_PAGE_H
#define WHIT_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/app.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that are not UTF-8 become U+FFFD; in URLs each of them is percent-encoded.
enum whit_escape {
    WHIT_ESCAPE_HTML,        // text, and attributes in quotes
    WHIT_ESCAPE_URL,         // a URL in quotes; "#" replaces a URL whose scheme is not http, https, mailto or tel
    WHIT_ESCAPE_URL_PART,    // a part of a URL's path or query
    WHIT_ESCAPE_JSON,        // a string in a script, with its quotes
};

#define PT_OUT_ESCAPED(pt, text, escape) PT_WAIT_UNTIL(pt, whit_pt_escaped(pt, text, escape))    // text: ends with NUL
#define PT_OUT_ESCAPED_MEM(pt, octets, len, escape) PT_WAIT_UNTIL(pt, whit_pt_escaped_mem(pt, octets, len, escape))
// array: a string constant marked WHIT_FLASH
#define PT_OUT_TEXT(pt, array) PT_WAIT_UNTIL(pt, whit_pt_text(pt, array, sizeof(array) - 1))
#define PT_OUT_NUMBER(pt, number) PT_WAIT_UNTIL(pt, whit_pt_number(number))

WHIT_PUBLIC bool whit_pt_escaped(struct whit_pt *pt, const char *text, enum whit_escape escape);
WHIT_PUBLIC bool whit_pt_escaped_mem(struct whit_pt *pt, const void *octets, uint16_t len, enum whit_escape escape);
WHIT_PUBLIC bool whit_pt_text(struct whit_pt *pt, const void *flash, uint16_t len);
WHIT_PUBLIC bool whit_pt_number(int64_t number);

// True if both are the same bytes, up to the NUL.
WHIT_PUBLIC bool whit_text_is(const char *text, const void *flash);
WHIT_PUBLIC uint16_t whit_text_chars(const char *text);    // Returns the number of characters of UTF-8.

// Integers of 64 bits that wrap around. Division rounds down; the divisor must be above 0. The alignment is 4 bytes,
// like that of a handler's state.
typedef int64_t whit_number __attribute__((aligned(4)));
#define WHIT_INT(number) ((int64_t)(number))
static inline int64_t whit_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t whit_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}
static inline int64_t whit_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
static inline int64_t whit_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}
static inline int64_t whit_mod(int64_t a, int64_t b)
{
    return a % b < 0 ? a % b + b : a % b;
}

#ifdef __cplusplus
}
#endif

#endif
