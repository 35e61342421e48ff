// SPDX-License-Identifier: MIT
// Values as texts: UTF-8 (RFC 3629), times (RFC 3339) and octets in base64 (RFC 4648). text.c, but for the first.
#ifndef WHIT_CORE_TEXT_H
#define WHIT_CORE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

// Returns the length of the UTF-8 character at `text` (RFC 3629, section 4); 0: no character.
static __attribute__((unused)) uint8_t utf8_len(const uint8_t *text, uint16_t left)
{
    uint8_t first = text[0], len = 1;
    if (first < 0x80)
        return 1;
    for (uint8_t tails = first; (tails & 0x40) != 0 || len == 1; tails = (uint8_t)(tails << 1), len++)
        if (len == left || (text[len] & 0xc0) != 0x80)
            return 0;
    // no octet begins a second spelling, a surrogate, or a code point above U+10FFFF
    uint16_t two = (uint16_t)(first << 8 | text[1]);
    if (two < 0xc280 || two > 0xf48f || (uint16_t)(two - 0xe080) < 0x20 || (uint16_t)(two - 0xeda0) < 0x20 ||
        (uint16_t)(two - 0xf080) < 0x10)
        return 0;
    return len;
}

uint8_t utf8_write(uint8_t *to, uint32_t code);    // returns the number of octets: one to four

// Reads a time. False: `text`, `len` octets without the NUL, is not a time.
bool time_read(const uint8_t *text, uint8_t len, uint32_t *unix_s);
// Replaces the text by the number of octets and the octets. False: it is not base64.
bool base64_read(uint8_t *text, uint8_t len);

#define TIME_ROOM 36    // octets of the longest time that is read, its NUL included
// Ends a text, closed by a NUL, and without one in it. True if it has the form of enum whit_text. A time's uint32_t is
// written at text[TIME_ROOM]: a segment with a wrong checksum must not change the earlier text.
bool text_fits(uint8_t kind, uint8_t *text, uint8_t len);
// Takes one more octet of base64; `to` has room for `size` octets. Each group is decoded when it is complete. *state is
// 0 at first. Bits 0 to 7 count the octets; bits from 8 on have the characters of an incomplete group: more than
// UINT8_MAX while there are any. The first octet of `to` is not written. False: no room, not in the alphabet, or after
// padding.
bool base64_take(uint8_t *to, uint8_t size, uint32_t *state, uint8_t c);

#define TIME_LEN 20    // octets of "2026-11-23T15:48:10Z"
void time_write(char *to, uint32_t unix_s);
void base64_write(char *to, const uint8_t *octets, uint8_t len);    // four characters, of one to three octets

// -------------------------------------------------------------------------------- automata of the application compiler

// Words as an automaton in flash (text.c; described in tables.h).

#define NODE_NONE 0xffff
#define LAST 0x80                                                               // flag of an alternative's character
bool in_class(uint8_t class, uint8_t c);                                        // enum whit_class
uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c);    // NODE_NONE: no way on
uint16_t automaton_value(const uint8_t *automaton, uint16_t node);              // NODE_NONE: it does not end here

// Returns the value of a hexadecimal digit.
static inline uint8_t hex_value(uint8_t c)
{
    return (uint8_t)((c & 15) + (c >> 6) * 9);
}

#endif
