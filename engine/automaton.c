// SPDX-License-Identifier: MIT
// The automata that the application compiler writes (tables.h), one character at a time.
#include "inner.h"

#define LAST 0x80

uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c)
{
    if (node == NODE_NONE)
        return NODE_NONE;
    const uint8_t *at = automaton + node;
    for (;;) {    // the compiler's lists end with an alternative marked LAST
        uint8_t label = whit_flash_u8(at++);
        if ((label & 0x7f) == c)
            return (uint16_t)((label & LAST) != 0 ? at - automaton : at + 2 - automaton);
        if ((label & LAST) != 0)
            return NODE_NONE;
        at += 2 + (whit_flash_u8(at) | (uint16_t)(whit_flash_u8(at + 1) << 8));
    }
}

static bool is_letter(uint8_t c)
{
    return (uint8_t)((c | 0x20) - 'a') < 26 || c == '-';
}

const uint8_t *automaton_run(const uint8_t *automaton, uint16_t *node, const uint8_t *at, const uint8_t *end, uint8_t lower)
{
    const uint8_t *list = automaton + *node, *next = list;    // of alternatives
    bool known = *node != NODE_NONE;
    while (known && at != end && *at >= ' ') {    // below it, `lower` makes other octets of control characters
        uint8_t label = whit_flash_u8(next++);
        if ((label & 0x7f) == (*at | lower)) {
            list = next = (label & LAST) != 0 ? next : next + 2;
            at++;
        } else if ((label & LAST) == 0) {
            next += 2 + (whit_flash_u8(next) | (uint16_t)(whit_flash_u8(next + 1) << 8));
        } else if (is_letter(*at)) {
            known = false;
        } else {
            break;
        }
    }
    *node = known ? (uint16_t)(list - automaton) : NODE_NONE;
    while (!known && at != end && is_letter(*at))
        at++;
    return at;
}

uint16_t automaton_value(const uint8_t *automaton, uint16_t node)
{
    node = automaton_step(automaton, node, 0);
    if (node == NODE_NONE)
        return NODE_NONE;
    return (uint16_t)(whit_flash_u8(automaton + node) | (uint16_t)(whit_flash_u8(automaton + node + 1) << 8));
}
