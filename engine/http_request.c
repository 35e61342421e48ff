// SPDX-License-Identifier: MIT
// The request parser (RFC 9112): it follows the machine that the application compiler wrote down (grammar.h), one octet at a
// time, with a fast way over what matters to nobody. Only targets have code of their own.
#include "http.h"

#define GOAL(number) (whit_words + GRAMMAR_SETS + 2 * (number))

void refuse(struct whit_tcb *t, uint8_t status)
{
    t->request.step = STEP_REFUSED;
    t->request.aux = status;
}

bool http_complete(const struct whit_tcb *work)
{
    return work->request.step == STEP_DONE;
}

bool http_refused(const struct whit_tcb *work)
{
    return work->request.step == STEP_REFUSED;
}

bool http_starved(const struct whit_tcb *work)
{
    return work->request.step == STEP_STARVED;
}

static void mark_once(struct whit_tcb *t, uint16_t mark)
{
    if ((t->request.marks & mark) != 0)
        refuse(t, HTTP_400);
    t->request.marks |= mark;
    t->value = 0;
}

static void digit(struct whit_tcb *t, uint8_t c)
{
    if (t->value < BODY_LENGTH_MAX)    // beyond it stays beyond it: no digit makes it small again
        t->value = t->value * 10 + (uint8_t)(c - '0');
}

// Operations that change the request only; c: the octet that led to it.
static void operate(struct whit_tcb *t, uint8_t op, uint8_t operand, uint8_t c)
{
    uint16_t mark = (uint16_t)(UINT16_C(1) << (operand & 15));
    switch (op) {
    case OP_ELSE: t->request.aux = operand; break;
    case OP_REFUSE: refuse(t, operand); break;
    case OP_MARK: t->request.marks |= mark; break;
    case OP_CLEAR: t->request.marks &= (uint16_t)~mark; break;
    case OP_ONCE: mark_once(t, mark); break;
    case OP_NUMBER: t->value = operand; break;
    case OP_FIELD: field_read(t, operand); break;
    case OP_METHOD: t->request.method = operand & 3; break;
    case OP_DIGIT: digit(t, c); break;
    case OP_HEX: t->value = t->value << 4 | hex_value(c); break;
    case OP_ACCEPT: t->request.marks |= (uint16_t)(UINT16_C(1) << t->value); break;
    case OP_TARGET: path_begin(t, c); break;
    case OP_LINE: t->request.step = STEP_LINE; break;
    default: fields_end(t); break;
    }
}

static const uint8_t *follow(struct whit_tcb *t, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *node = whit_words + t->request.node, *list = node;
    uint8_t c = 0;
    while (t->request.step == STEP_READ) {
        uint8_t op = whit_flash_u8(node);
        if ((uint8_t)(op - OP_FIRST) >= OP_CNT) {
            if (at == end)
                break;
            list = node;
            c = *at++;
            bool upper = (uint8_t)(c - 'A') < 26 && list >= whit_words + WHIT_WORDS_FOLDED;
            node = automaton_next(list, upper ? c | 0x20 : c);
            if (node == NULL) {
                node = GOAL(t->request.aux);
                t->request.aux = 0;
                at--;
            }
            continue;
        }
        uint8_t operand = 0;
        node++;
        if (op < OP_UNREAD)
            operand = whit_flash_u8(node++);
        switch (op) {
        case OP_GOTO:
            t->request.aux = 0;
            node = GOAL(operand);
            break;
        case OP_LOOP:
            node = list;
            while (at != end && operand != 0 && in_class(operand, *at))
                at++;
            break;
        case OP_UNREAD: at--; break;
        default:
            t->request.node = (uint16_t)(node - whit_words);
            operate(t, op, operand, c);
            node = whit_words + t->request.node;
            break;
        }
    }
    t->request.node = (uint16_t)(node - whit_words);
    return at;
}

uint16_t http_parse(struct whit_tcb *work, const uint8_t *octets, uint16_t len)
{
    const uint8_t *at = octets, *end = octets + len;
    while (at != end && work->request.step < STEP_DONE) {
        uint16_t left = work->request.left;
        const uint8_t *from = at, *until = end - at < left ? end : at + left;
        while (at != until && work->request.step < STEP_DONE) {
            if (work->request.step == STEP_READ)
                at = follow(work, at, until);
            else if (WHIT_HAS_BODY && work->request.step == STEP_TYPE)
                body_type_step(work, *at++);
            else
                target_step(work, *at++);
        }
        work->request.left = (uint16_t)(left - (at - from));
        if (work->request.step == STEP_LINE) {
            work->request.step = STEP_READ;
            work->request.left = WHIT_FIELDS_MAX;
            if (WHIT_HAS_BODY)
                body_claim(work);
        } else if (work->request.left == 0 && work->request.step < STEP_DONE) {
            bool line = work->request.step == STEP_READ ? work->request.node < WHIT_WORDS_LINES : work->request.step < STEP_TYPE;
            refuse(work, line ? HTTP_414 : HTTP_431);
        }
    }
    return (uint16_t)(at - octets);
}
