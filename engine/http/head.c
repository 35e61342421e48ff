// SPDX-License-Identifier: MIT
// Reads the parts between the words of a request's head: path and query of the target (RFC 9112 section 3.2, RFC 3986).
// field_read() reads the values of field lines. Names of fields are words of the grammar, tools/whit/compiler/words.py.
// With arguments, a path is percent-decoded before it is compared: all spellings of a name are one resource. Without
// arguments, the application compiler spells paths as clients do.
#include <stddef.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/port.h"

#define HALF_HIGH 0x10    // escape: '%' was read
#define HALF_LOW 0x20     // escape: and its first digit, which is in the lower bits

// Undoes percent-encoding. False: the octet is incomplete, or the target was refused.
static bool unescape(struct whit_tcb *t, uint8_t *c, bool *escaped)
{
    uint8_t half = t->request.escape;
    *escaped = half != 0;
    if (half == 0) {
        if (*c != '%')
            return true;
        t->request.escape = HALF_HIGH;
        return false;
    }
    uint8_t digit = *c >= 'A' ? *c | 0x20 : *c;
    if (!in_class(CLASS_HEX, digit)) {
        refuse(t, HTTP_400);
        return false;
    }
    if (half == HALF_HIGH) {
        t->request.escape = HALF_LOW | hex_value(digit);
        return false;
    }
    *c = (uint8_t)(half << 4 | hex_value(digit));
    t->request.escape = 0;
    if (*c == 0)
        refuse(t, HTTP_400);
    return *c != 0;
}

// Back to the grammar.
static void read_on(struct whit_tcb *t, uint16_t node)
{
    t->request.step = STEP_READ;
    t->request.node = node;
}

OWN_FRAME static void query_end(struct whit_tcb *t)
{
    arguments_end(t);
    if (t->request.step >= STEP_DONE)
        return;
    t->request.flags = 0;
    read_on(t, WHIT_WORDS_VERSION);
}

// c: '?' or ' '
static void path_end(struct whit_tcb *t, uint8_t c)
{
    if (WHIT_HAS_ASKED && c == '?' && t->request.method != WHIT_POST) {    // "/NAME?wsdl" is a name like any
        uint16_t node = automaton_step(whit_targets, t->request.node, c);
        if (node != NODE_NONE) {
            t->request.node = node;
            return;
        }
    }
    uint16_t resource = automaton_value(whit_targets, t->request.node);
    if (WHIT_HAS_TAIL && resource >= WHIT_TAIL)
        resource = NODE_NONE;
    t->request.resource = resource & 0xfffu;
    read_on(t, c == ' ' ? WHIT_WORDS_VERSION : WHIT_WORDS_QUERY);
    if (WHIT_HAS_ARGUMENTS && resource != NODE_NONE) {
        arguments_begin(t);
        if (c == ' ' && t->request.step == STEP_QUERY_NAME)
            query_end(t);
    }
}

// '/' was read: perhaps the rest of the path is an argument. (Only GET's arguments have a place already.)
static void tail_begin(struct whit_tcb *t)
{
    uint16_t value = automaton_value(whit_targets, t->request.node);
    if (value == NODE_NONE || value < WHIT_TAIL || (WHIT_HAS_BODY && t->request.method == WHIT_POST))
        return;
    t->request.resource = value & 0xfffu;
    arguments_begin(t);
    if (t->request.step != STEP_QUERY_NAME)
        return;    // no room
    argument_begin(t, (uint16_t)(value / WHIT_TAIL - 1));
    t->request.step = STEP_TAIL;
}

// c: '/', '?' or ' '. It is one segment of a path (RFC 3986 section 3.3).
static void tail_end(struct whit_tcb *t, uint8_t c)
{
    t->request.step = STEP_QUERY_VALUE;
    if (c == ' ') {
        query_end(t);
    } else if (c == '?') {
        argument_octet(t, '&', false);
    } else {
        if (WHIT_HAS_LOG)
            log_why(t, WHY_PATH);
        refuse(t, HTTP_404);
    }
}

void path_begin(struct whit_tcb *t, uint8_t c)
{
    if (t->value > UINT16_MAX) {
        if (WHIT_HAS_LOG)
            log_why(t, WHY_ABSOLUTE);
        refuse(t, HTTP_400);
        return;
    }
    t->request.step = STEP_PATH;
    t->request.node = REDIRECTS && !is_tls(t) ? NODE_NONE : 0;    // whatever it is, it is elsewhere
    t->request.escape = 0;
    if (c != '/')
        path_end(t, c);
}

void query_octet(struct whit_tcb *t, uint8_t c)
{
    bool escaped;
    if (unescape(t, &c, &escaped) && t->request.step != STEP_QUERY_SKIP)
        argument_octet(t, c, escaped || (WHIT_HAS_TAIL && t->request.step == STEP_TAIL));
}

__attribute__((noinline)) void target_step(struct whit_tcb *t, uint8_t c)
{
    bool escaped = false;
    if (c != ' ' && !in_class(CLASS_TARGET, c)) {
        refuse(t, HTTP_400);
    } else if (WHIT_HAS_TAIL && t->request.step == STEP_TAIL && t->request.escape == 0 &&
               (c == '/' || c == '?' || c == ' ')) {
        tail_end(t, c);
    } else if (WHIT_HAS_ARGUMENTS && t->request.step != STEP_PATH) {
        if (c == ' ' && t->request.escape == 0)
            query_end(t);
        else
            query_octet(t, c);
    } else if ((c == '?' || c == ' ') && t->request.escape == 0) {
        path_end(t, c);
    } else if (!WHIT_HAS_ARGUMENTS || unescape(t, &c, &escaped)) {
        t->request.node = escaped && (c == '/' || (WHIT_HAS_ASKED && c == '?'))
                              ? NODE_NONE
                              : automaton_step(whit_targets, t->request.node, c);
        if (WHIT_HAS_TAIL && c == '/')
            tail_begin(t);
    }
}

// ------------------------------------------------------------------------------------------------ field lines

// The meaning of several field lines together, and of values that depend on the application's tables (RFC 9110, 9112).

static uint32_t etag_of(const struct whit_resource *r)
{
    if (WHIT_HAS_STORED && whit_flash_u8(&r->persistence) == WHIT_STORED)
        return content_stored_etag(r);
    return whit_flash_u32(&r->etag);
}

// The number is the tag of which of the resource's representations?
static void tag_read(struct whit_tcb *t, bool any)
{
    if (t->request.resource == RESOURCE_NONE)
        return;
    const struct whit_resource *r = &whit_resources[t->request.resource];
    uint8_t variant_cnt = WHIT_HAS_VARIANTS ? whit_flash_u8(&r->variant_cnt) : 0;
    uint16_t mark = (t->request.flags & FLAG_STRONG) != 0 ? FLAG_MATCHED : FLAG_KNOWN;
    for (uint8_t i = 0; i <= variant_cnt; i++) {
        if (any || (t->value != 0 && etag_of(&r[i]) == t->value))
            t->request.flags |= mark;
        if (mark != FLAG_MATCHED)
            mark = (uint16_t)(mark << 1);
    }
}

static void length_read(struct whit_tcb *t)
{
    struct body *b = WHIT_HAS_BODY ? body_of(t) : NULL;
    if (b != NULL)
        b->left = t->value;
    else if (t->value > BODY_DISCARD_MAX)
        refuse(t, HTTP_413);
    if (t->value != 0)
        t->request.flags |= FLAG_BODY;
}

// RFC 9110 section 15.5.16. The coding is ignored if no body is taken.
static void coding_read(struct whit_tcb *t)
{
    if (body_post(t) == NULL)
        return;
    if (WHIT_HAS_LOG)
        log_why(t, WHY_CODED);
    refuse(t, HTTP_415);
}

void field_read(struct whit_tcb *t, uint8_t what)
{
    if (what == FIELD_LENGTH)
        length_read(t);
    else if (WHIT_HAS_BODY && what == FIELD_CODED)
        coding_read(t);
    else if (WHIT_HAS_ETAGS && what != FIELD_TYPE)
        tag_read(t, what == FIELD_ANY_TAG);
    else if (WHIT_HAS_BODY)
        body_type_begin(t);
}

void fields_end(struct whit_tcb *t)
{
    uint16_t flags = t->request.flags, one = flags & (FLAG_1_0 | FLAG_HOST);
    if ((flags & FLAG_CODING) != 0)
        t->request.flags |= FLAG_BODY;
    if (WHIT_HAS_LOG && (one == 0 || ((flags & FLAG_CODING) != 0 && (flags & (FLAG_LENGTH | FLAG_1_0)) != 0)))
        log_why(t, one == 0 ? WHY_HOST : WHY_FRAMING);
    if (one == 0 || ((flags & FLAG_CODING) != 0 && (flags & (FLAG_LENGTH | FLAG_1_0)) != 0))
        refuse(t, HTTP_400);    // RFC 9112 sections 3.2, 6.1
    else if (WHIT_HAS_BODY)
        body_fields_end(t);
    else
        t->request.step = STEP_DONE;
}
