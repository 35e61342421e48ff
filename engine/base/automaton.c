// SPDX-License-Identifier: MIT
// The automata that the application compiler writes (tables.h), one character at a time.
#include <stddef.h>

#include "automaton.h"
#include "grammar.h"
#include "tables.h"
#include "whit/port.h"

__attribute__((noinline)) bool in_class(uint8_t class, uint8_t c)
{
    uint8_t set = c == '\t' ? SET_TAB : c < ' ' ? SET_CONTROL : SET_HIGH;
    if ((uint8_t)(c - ' ') < GRAMMAR_SETS)
        set = whit_flash_u8(&whit_words[c - ' ']);
    return (set << 1 >> class & 1) != 0;
}

const uint8_t *automaton_next(const uint8_t *list, uint8_t c)
{
    for (;;) {    // the compiler's lists end with an alternative marked LAST
        uint8_t label = whit_flash_u8(list++), one = label & (LAST - 1);
        bool is_last = label != one;
        uint16_t skip = is_last ? 0 : whit_flash_u8(list++);
        if (skip >= 0x80)
            skip = (uint16_t)((skip & 0x7f) << 8 | whit_flash_u8(list++));
        if (one == c || (one != 0 && one < CLASS_CNT && in_class(one, c)))
            return list;
        if (is_last)
            return NULL;
        list += skip;
    }
}

uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c)
{
    const uint8_t *next = node == NODE_NONE ? NULL : automaton_next(automaton + node, c);
    return next == NULL ? NODE_NONE : (uint16_t)(next - automaton);
}

uint16_t automaton_value(const uint8_t *automaton, uint16_t node)
{
    node = automaton_step(automaton, node, 0);
    if (node == NODE_NONE)
        return NODE_NONE;
    return (uint16_t)(whit_flash_u8(automaton + node) | (uint16_t)(whit_flash_u8(automaton + node + 1) << 8));
}
