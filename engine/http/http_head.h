// SPDX-License-Identifier: MIT
// What the two kinds of http_parse() share: operations of the grammar (grammar.h), and octets that the grammar does not read.
#ifndef WHIT_HTTP_HEAD_H
#define WHIT_HTTP_HEAD_H

#include "parser.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tcb.h"

static inline void flag_once(struct whit_tcb *t, uint16_t mark)
{
    if ((t->request.flags & mark) != 0)
        refuse(t, HTTP_400);
    t->request.flags |= mark;
    t->value = 0;
}

static inline void add_digit(struct whit_tcb *t, uint8_t c)
{
    if (t->value < BODY_LENGTH_MAX)    // beyond it stays beyond it: no digit makes it small again
        t->value = t->value * 10 + (uint8_t)(c - '0');
}

// The request line may come.
static inline void request_line_begin(struct whit_tcb *t)
{
    t->request.left = REQUEST_LINE_MAX;
    t->request.node = WHIT_WORDS_START;
}

static inline void line_end(struct whit_tcb *t)
{
    t->request.left = WHIT_FIELDS_MAX;
    if (WHIT_HAS_BODY)
        body_claim(t);
}

// An octet that the grammar does not read.
static inline void other_step(struct whit_tcb *t, uint8_t c)
{
    if (WHIT_HAS_BODY && t->request.step == STEP_TYPE)
        body_type_step(t, c);
    else
        target_step(t, c);
}

#endif
