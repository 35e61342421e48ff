// SPDX-License-Identifier: MIT
// Typed query arguments. A value goes to its place in the handler's struct args_t when it is complete, a string
// octet by octet; a value out of its type's range, an argument that comes twice and one that is missing refuse the
// request. Until the request is complete, only arguments whose bit in `marks` is set count.
#include "http.h"

#include <string.h>

#define INDEX 0x1f       // node, while a value is read: index of the argument
#define UNKNOWN 0x100    // the resource has no such argument: it is passed over
#define NEGATIVE 0x200
#define DIGITS 0x400     // there was a digit

static const struct whit_generator *generator_of(const struct whit_tcb *t)
{
    return whit_flash_ptr(&whit_resources[t->request.resource].generator);
}

static uint8_t *arguments_memory(const struct whit_tcb *t)
{
    uint16_t len;
    if (WHIT_HAS_FORM && t->request.method == WHIT_POST)
        return body_data(t);
    return whit.rx.arguments_claimed ? buffer_claimed() : buffer_find(whit.rx.slot, BLOCK_ARGUMENTS, &len);
}

static void name_begin(struct whit_tcb *t)
{
    t->request.step = STEP_QUERY_NAME;
    t->request.node = whit_flash_u16(&generator_of(t)->names);
}

void arguments_begin(struct whit_tcb *t)
{
    const struct whit_generator *generator = generator_of(t);
    if (generator == NULL || whit_flash_u8(&generator->argument_cnt) == 0 || (WHIT_HAS_BODY && t->request.method == WHIT_POST))
        return;
    uint8_t len = whit_flash_u8(&generator->args_len);
    if (!buffer_claim_block(len)) {
        t->request.step = STEP_STARVED;
        return;
    }
    whit.rx.arguments_claimed = true;
    memset(buffer_claimed(), 0, len);
    t->request.marks = 0;
    name_begin(t);
}

void arguments_read(struct whit_tcb *t)
{
    t->request.marks = 0;
    if (whit_flash_u8(&generator_of(t)->argument_cnt) != 0)
        name_begin(t);
}

// '=' or the argument's end was read: which one is it?
static void value_begin(struct whit_tcb *t)
{
    uint16_t index = automaton_value(whit_targets, t->request.node);
    t->request.step = STEP_QUERY_VALUE;
    t->value = 0;
    if (index == NODE_NONE) {
        t->request.node = UNKNOWN;
    } else if ((t->request.marks >> index & 1) != 0) {
        refuse(t, HTTP_400);
    } else {
        const struct whit_argument *argument = (const struct whit_argument *)whit_flash_ptr(&generator_of(t)->arguments) + index;
        if (WHIT_HAS_ENUM && whit_flash_u8(&argument->type) == WHIT_ENUM)
            t->value = whit_flash_u16(&argument->words);    // while its word is read: a state of the automaton
        t->request.node = index;
        t->request.marks = (uint16_t)(t->request.marks | UINT16_C(1) << index);
    }
}

static void store_number(uint8_t *to, uint8_t size, uint32_t number)
{
    uint8_t as8 = (uint8_t)number;
    uint16_t as16 = (uint16_t)number;
    memcpy(to, size == 1 ? (void *)&as8 : size == 2 ? (void *)&as16 : (void *)&number, size);
}

static void word_end(struct whit_tcb *t, uint8_t *to)
{
    uint16_t index = automaton_value(whit_targets, (uint16_t)t->value);
    if (index == NODE_NONE)
        refuse(t, HTTP_400);
    else
        *to = (uint8_t)index;
}

static void value_end(struct whit_tcb *t)
{
    uint16_t node = t->request.node;
    if ((node & UNKNOWN) != 0)
        return;
    const struct whit_argument *argument = (const struct whit_argument *)whit_flash_ptr(&generator_of(t)->arguments) + (node & INDEX);
    uint8_t *to = arguments_memory(t) + whit_flash_u8(&argument->offset);
    if (whit_flash_u8(&argument->type) == WHIT_STR)
        to[t->value] = 0;
    else if (WHIT_HAS_ENUM && whit_flash_u8(&argument->type) == WHIT_ENUM)
        word_end(t, to);
    else if ((node & DIGITS) == 0)
        refuse(t, HTTP_400);
    else
        store_number(to, whit_flash_u8(&argument->size), (node & NEGATIVE) != 0 ? UINT32_C(0) - t->value : t->value);
}

void argument_name(struct whit_tcb *t, uint8_t c, bool escaped)
{
    if (!escaped && c == '=') {
        value_begin(t);
    } else if (!escaped && c == '&') {
        if (t->request.node != whit_flash_u16(&generator_of(t)->names)) {    // a name without a value: an empty one
            value_begin(t);
            if (t->request.step < STEP_DONE)
                value_end(t);
        }
        if (t->request.step < STEP_DONE)
            name_begin(t);
    } else {
        t->request.node = automaton_step(whit_targets, t->request.node, c);
    }
}

// The largest magnitude of the type.
static uint32_t limit_of(uint8_t type, uint8_t size, bool negative)
{
    if (type == WHIT_BOOL)
        return 1;
    uint32_t limit = UINT32_C(0xffffffff) >> (32 - 8 * size);
    return type <= WHIT_UINT32 ? limit : (limit >> 1) + negative;
}

static void number_step(struct whit_tcb *t, const struct whit_argument *argument, uint8_t c)
{
    uint8_t type = whit_flash_u8(&argument->type);
    bool negative = (t->request.node & NEGATIVE) != 0;
    if (c == '-' && type >= WHIT_INT8 && type <= WHIT_INT32 && (t->request.node & (DIGITS | NEGATIVE)) == 0) {
        t->request.node |= NEGATIVE;
        return;
    }
    uint8_t digit = (uint8_t)(c - '0');
    uint32_t limit = limit_of(type, whit_flash_u8(&argument->size), negative);
    if (digit > 9 || digit > limit || t->value > (limit - digit) / 10) {
        refuse(t, HTTP_400);
        return;
    }
    t->value = t->value * 10 + digit;
    t->request.node |= DIGITS;
}

void argument_value(struct whit_tcb *t, uint8_t c, bool escaped)
{
    if (!escaped && c == '&') {
        value_end(t);
        if (t->request.step < STEP_DONE)
            name_begin(t);
        return;
    }
    if ((t->request.node & UNKNOWN) != 0)
        return;
    const struct whit_argument *argument =
        (const struct whit_argument *)whit_flash_ptr(&generator_of(t)->arguments) + (t->request.node & INDEX);
    if (WHIT_HAS_ENUM && whit_flash_u8(&argument->type) == WHIT_ENUM)
        t->value = automaton_step(whit_targets, (uint16_t)t->value, c);
    else if (whit_flash_u8(&argument->type) != WHIT_STR)
        number_step(t, argument, c);
    else if (t->value + 1 >= whit_flash_u8(&argument->size))
        refuse(t, HTTP_400);    // longer than the handler's array
    else
        arguments_memory(t)[whit_flash_u8(&argument->offset) + t->value++] = !escaped && c == '+' ? ' ' : c;
}

// What an optional argument is when it is absent. A segment that proved to be spoilt may have written there.
static void set_default(const struct whit_generator *generator, const struct whit_argument *argument, uint8_t *to)
{
    uint8_t fallback = WHIT_HAS_FALLBACKS ? whit_flash_u8(&argument->fallback) : 0, size = whit_flash_u8(&argument->size);
    if (fallback == 0)
        memset(to, 0, size);
    else
        store_number(to, size, whit_flash_u32((const uint32_t *)whit_flash_ptr(&generator->fallbacks) + fallback - 1));
}

void arguments_end(struct whit_tcb *t)
{
    if (t->request.step == STEP_QUERY_NAME)
        argument_name(t, '&', false);
    else
        value_end(t);
    const struct whit_generator *generator = generator_of(t);
    const struct whit_argument *argument = whit_flash_ptr(&generator->arguments);
    uint8_t cnt = whit_flash_u8(&generator->argument_cnt);
    for (uint8_t i = 0; i < cnt && t->request.step < STEP_DONE; i++) {
        if ((t->request.marks >> i & 1) != 0)
            continue;
        if (whit_flash_u8(&argument[i].optional) == 0)
            refuse(t, HTTP_400);
        else
            set_default(generator, &argument[i], arguments_memory(t) + whit_flash_u8(&argument[i].offset));
    }
}
