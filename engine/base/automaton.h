// SPDX-License-Identifier: MIT
// Words as an automaton in flash (automaton.c; tables.h says how).
#ifndef WHIT_BASE_AUTOMATON_H
#define WHIT_BASE_AUTOMATON_H

#include <stdbool.h>
#include <stdint.h>

#define NODE_NONE 0xffff
#define LAST 0x80    // of an alternative's character
bool in_class(uint8_t class, uint8_t c);                          // enum whit_class
const uint8_t *automaton_next(const uint8_t *list, uint8_t c);    // what follows the alternative for c; NULL: there is none
uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c);    // NODE_NONE: no way on
uint16_t automaton_value(const uint8_t *automaton, uint16_t node);              // NODE_NONE: it does not end here

// Of a hexadecimal digit.
static inline uint8_t hex_value(uint8_t c)
{
    return (uint8_t)((c & 15) + (c >> 6) * 9);
}

#endif
