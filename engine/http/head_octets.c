// SPDX-License-Identifier: MIT
// Reads the head of a request by the octets of the grammar (grammar.h), and skips unknown fields fast. It is small:
// head_code.c is fast.
#include "http.h"
#include "internal.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/port.h"

// c: the octet that led to the operation.
static void operate(struct whit_tcb *t, uint8_t op, uint8_t operand, uint8_t c)
{
    uint16_t mark = (uint16_t)(UINT16_C(1) << (operand & 15));
    switch (op) {
    case OP_GOTO:
        t->request.node = (uint16_t)(GRAMMAR_SETS + 2u * operand);
        operand = 0;
        // fall through
    case OP_ELSE:
        t->request.otherwise = operand;
        break;
    case OP_REFUSE:
        refuse(t, operand);
        break;
    case OP_MARK:
        t->request.flags |= mark;
        break;
    case OP_CLEAR:
        t->request.flags &= (uint16_t)~mark;
        break;
    case OP_ONCE:
        flag_once(t, mark);
        break;
    case OP_NUMBER:
        t->value = operand;
        break;
    case OP_FIELD:
        field_read(t, operand);
        break;
    case OP_METHOD:
        t->request.method = operand & 3u;
        break;
    case OP_DIGIT:
        add_digit(t, c);
        break;
    case OP_HEX:
        t->value = t->value << 4 | hex_value(c);
        break;
    case OP_ACCEPT:
        t->request.flags |= (uint16_t)(UINT16_C(1) << t->value);
        break;
    case OP_TARGET:
        path_begin(t, c);
        break;
    case OP_LINE:
        line_end(t);
        break;
    default:
        fields_end(t);
        break;
    }
}

// Behind octets of a class, or in front of one that has no set of its own.
static const uint8_t *passed(struct whit_tcb *t, const uint8_t *at, const uint8_t *end, uint8_t class)
{
    if ((uint16_t)(end - at) > t->request.left)
        end = at + t->request.left;
    const uint8_t *from = at;
    uint8_t set = (uint8_t)(1 << class >> 1);
    while (class == CLASS_VALUE && at != end && (uint8_t)(*at - ' ') < 0x5f)    // most of a request
        at++;
    while (at != end && (uint8_t)(*at - ' ') < GRAMMAR_SETS && (whit_flash_u8(&whit_words[*at - ' ']) & set) != 0)
        at++;
    t->request.left = (uint16_t)(t->request.left - (at - from));
    return at;
}

// Returns the node after the alternative for c of the list; NODE_NONE: no such alternative.
static uint16_t next_of(uint16_t list, uint8_t c)
{
    if ((uint8_t)(c - 'A') < 26 && list >= WHIT_WORDS_FOLDED)
        c |= 0x20;
    if (c < CLASS_CNT)
        c = ' ' - 1;                                     // a class is no octet, and this one is in no word
    if (whit_flash_u8(&whit_words[list]) - LAST == c)    // most words have no choice left
        return (uint16_t)(list + 1);
    return automaton_step(whit_words, list, c);
}

__attribute__((noinline)) uint16_t http_parse(struct whit_tcb *t, const uint8_t *octets, uint16_t len)
{
    HOLDS(t->state == TCB_REQUEST);
    const uint8_t *at = octets, *end = octets + len;
    uint16_t node = t->request.node, list = node;
    uint8_t c = 0;
    while (t->request.step < STEP_DONE) {
        uint8_t op = t->request.step == STEP_READ ? whit_flash_u8(&whit_words[node]) : 0;
        if ((uint8_t)(op - OP_FIRST) < OP_CNT) {
            uint8_t operand = whit_flash_u8(&whit_words[++node]);
            node = (uint16_t)(node + (op < OP_UNREAD));
            if (op == OP_UNREAD) {
                at--;
            } else if (op == OP_LOOP) {
                node = list;
                at = passed(t, at, end, operand);
            } else {
                t->request.node = node;
                operate(t, op, operand, c);
                node = t->request.node;
            }
            continue;
        }
        if (at == end)
            break;
        if (t->request.left-- == 0) {
            bool line = op == 0 ? t->request.step != STEP_TYPE : node < WHIT_WORDS_LINES;
            refuse(t, line ? HTTP_414 : HTTP_431);
            break;
        }
        if (op == 0) {
            at += WHIT_HAS_BODY ? other_run(t, at, (uint16_t)(end - at)) : other_run(t, at, 1);
            c = at[-1];
            node = t->request.node;
            continue;
        }
        c = *at++;
        list = node;
        node = next_of(list, c);
        if (node == NODE_NONE) {
            node = (uint16_t)(GRAMMAR_SETS + 2u * t->request.otherwise);
            t->request.otherwise = 0;
            at--;
        }
    }
    t->request.node = node;
    if (WHIT_HAS_LOG)
        log_parsed(t, octets, (uint16_t)(at - octets), len);
    return (uint16_t)(at - octets);
}
