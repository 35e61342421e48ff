// SPDX-License-Identifier: MIT
// The request target (RFC 9112 section 3.2, RFC 3986): origin-form and absolute-form, with percent-encoding undone
// before a path is compared, so that no spelling of a name is another resource.
#include "http.h"

#define HALF_HIGH 0x10    // aux: '%' was read
#define HALF_LOW 0x20     // aux: and its first digit, which is in the lower bits

// Undoes percent-encoding. False: there is no octet yet, or the target was refused.
static bool unescape(struct whit_tcb *t, uint8_t *c, bool *escaped)
{
    uint8_t half = t->request.aux;
    *escaped = half != 0;
    if (half == 0) {
        if (*c != '%')
            return true;
        t->request.aux = HALF_HIGH;
        return false;
    }
    uint8_t digit = hex_value(*c);
    if (digit == 16) {
        refuse(t, HTTP_400);
        return false;
    }
    if (half == HALF_HIGH) {
        t->request.aux = HALF_LOW | digit;
        return false;
    }
    *c = (uint8_t)(half << 4 | digit);
    t->request.aux = 0;
    if (*c == 0)
        refuse(t, HTTP_400);
    return *c != 0;
}

static void version_begin(struct whit_tcb *t)
{
    t->request.step = STEP_VERSION;
    t->request.node = 0;
}

static void path_begin(struct whit_tcb *t)
{
    t->request.step = STEP_PATH;
    t->request.node = 0;
    t->request.aux = 0;
}

static void path_end(struct whit_tcb *t, bool query)
{
    uint16_t resource = automaton_value(whit_targets, t->request.node);
    t->request.resource = resource == NODE_NONE ? RESOURCE_NONE : resource & 0xfff;
    t->request.step = STEP_QUERY_SKIP;
    if (WHIT_HAS_ARGUMENTS && resource != NODE_NONE)
        arguments_begin(t);
    if (!query && t->request.step < STEP_DONE) {
        if (WHIT_HAS_ARGUMENTS && t->request.step == STEP_QUERY_NAME)
            arguments_end(t);
        if (t->request.step < STEP_DONE)
            version_begin(t);
    }
}

static void path_step(struct whit_tcb *t, uint8_t c)
{
    bool escaped;
    if ((c == '?' || c == ' ') && t->request.aux == 0) {
        path_end(t, c == '?');
    } else if (unescape(t, &c, &escaped)) {
        if (c >= 0x80 || (escaped && c == '/'))
            t->request.node = NODE_NONE;
        else
            t->request.node = automaton_step(whit_targets, t->request.node, c);
    }
}

void query_octet(struct whit_tcb *t, uint8_t c)
{
    bool escaped;
    if (!unescape(t, &c, &escaped) || !WHIT_HAS_ARGUMENTS)
        return;
    if (t->request.step == STEP_QUERY_NAME)
        argument_name(t, c, escaped);
    else if (t->request.step == STEP_QUERY_VALUE)
        argument_value(t, c, escaped);
}

static void query_step(struct whit_tcb *t, uint8_t c)
{
    if (c != ' ' || t->request.aux != 0) {
        query_octet(t, c);
        return;
    }
    if (WHIT_HAS_ARGUMENTS && t->request.step != STEP_QUERY_SKIP)
        arguments_end(t);
    if (t->request.step < STEP_DONE)
        version_begin(t);
}

// "http://" and an authority, which is passed over: the Host of an absolute-form counts, and we have but one.
static void scheme_step(struct whit_tcb *t, uint8_t c)
{
    static const uint8_t expected[7] WHIT_FLASH = "http://";
    if ((c | 0x20) != (whit_flash_u8(&expected[t->request.node]) | 0x20))
        refuse(t, HTTP_400);
    else if (++t->request.node == 7)
        t->request.step = STEP_AUTHORITY;
}

static void authority_step(struct whit_tcb *t, uint8_t c)
{
    bool empty = t->request.node == 7;
    t->request.node = 8;
    if (c != '/' && c != '?' && c != ' ') {
        if (c == '@' || c == '%' || c == '\\')
            refuse(t, HTTP_400);
        return;
    }
    if (empty) {
        refuse(t, HTTP_400);
        return;
    }
    path_begin(t);
    if (c != '/')
        path_step(t, c);
}

static void first_step(struct whit_tcb *t, uint8_t c)
{
    t->request.resource = RESOURCE_NONE;
    t->request.aux = 0;
    t->request.node = 0;
    if (c == '/') {
        path_begin(t);
    } else if ((c | 0x20) == 'h') {
        t->request.node = 1;
        t->request.step = STEP_SCHEME;
    } else if (c == '*' && t->request.method == WHIT_OTHER_METHOD) {
        t->request.resource = RESOURCE_SERVER;
        t->request.step = STEP_ASTERISK;
    } else {
        refuse(t, HTTP_400);
    }
}

void target_step(struct whit_tcb *t, uint8_t c)
{
    if (c < ' ' || c >= 0x7f || c == '#') {
        refuse(t, HTTP_400);
        return;
    }
    switch (t->request.step) {
    case STEP_TARGET: first_step(t, c); break;
    case STEP_SCHEME: scheme_step(t, c); break;
    case STEP_AUTHORITY: authority_step(t, c); break;
    case STEP_PATH: path_step(t, c); break;
    case STEP_ASTERISK: c == ' ' ? version_begin(t) : refuse(t, HTTP_400); break;
    default: query_step(t, c); break;
    }
}
