// SPDX-License-Identifier: MIT
// What page templates are made of (docs/templates.md), and C files may use as well: text escaped for the place in HTML
// where it stands, and numbers of 64 bits. The PT_ macros are those of whit/app.h.
#ifndef WHIT_PAGE_H
#define WHIT_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/app.h"

#ifdef __cplusplus
extern "C" {
#endif

// Octets that are no UTF-8 become U+FFFD, but in URLs, where each of them is percent-encoded.
enum whit_escape {
    WHIT_ESCAPE_HTML,        // text, and attributes in quotes
    WHIT_ESCAPE_URL,         // an URL in quotes: "#" instead of one whose scheme is not http, https, mailto or tel
    WHIT_ESCAPE_URL_PART,    // a part of an URL's path or query
    WHIT_ESCAPE_JSON,        // a string in a script, with its quotes
};

#define PT_OUT_ESCAPED(pt, text, escape) PT_WAIT_UNTIL(pt, whit_pt_escaped(pt, text, escape))    // up to its NUL
#define PT_OUT_ESCAPED_MEM(pt, octets, len, escape) PT_WAIT_UNTIL(pt, whit_pt_escaped_mem(pt, octets, len, escape))
// a string constant marked WHIT_FLASH
#define PT_OUT_TEXT(pt, array) PT_WAIT_UNTIL(pt, whit_pt_text(pt, array, sizeof(array) - 1))
#define PT_OUT_NUMBER(pt, number) PT_WAIT_UNTIL(pt, whit_pt_number(number))

WHIT_PUBLIC bool whit_pt_escaped(struct whit_pt *pt, const char *text, enum whit_escape escape);
WHIT_PUBLIC bool whit_pt_escaped_mem(struct whit_pt *pt, const void *octets, uint16_t len, enum whit_escape escape);
WHIT_PUBLIC bool whit_pt_text(struct whit_pt *pt, const void *flash, uint16_t len);
WHIT_PUBLIC bool whit_pt_number(int64_t number);

WHIT_PUBLIC bool whit_text_is(const char *text, const void *flash);    // the same octets, up to the NUL
WHIT_PUBLIC uint16_t whit_text_chars(const char *text);                // characters of UTF-8

// Whole numbers: of 64 bits, and beyond them wrapping around. Division rounds down and takes a divisor above 0.
// a variable of a page: a handler's state begins at a multiple of 4 octets
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
