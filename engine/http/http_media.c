// SPDX-License-Identifier: MIT
// A media type or a disposition with its parameters (RFC 9110 section 8.3.1, RFC 2183), octet by octet: the word before
// the parameters is compared with HTTP's own and with those that a resource declares, the value of one parameter is kept.
#include <stddef.h>

#include "media.h"
#include "parser.h"
#include "../base/automaton.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../content/log.h"

// media: node in the declared types, state, octets of the text.
#define TYPES(t) ((uint16_t)(t)->media)
#define STATE_SHIFT 16
#define LENGTH_SHIFT 24
#define WANTED 0x80    // of a state: this is the parameter

enum { BEFORE, WORD, BETWEEN, NAME, VALUE, TOKEN, QUOTED, ESCAPED, BEHIND };

static uint8_t state_of(const struct whit_tcb *t)
{
    return (uint8_t)(t->media >> STATE_SHIFT);
}

static void set_state(struct whit_tcb *t, uint8_t state)
{
    t->media = (t->media & ~(UINT32_C(0xff) << STATE_SHIFT)) | (uint32_t)state << STATE_SHIFT;
}

static void set_value(struct whit_tcb *t, uint16_t value)
{
    t->media = (t->media & ~UINT32_C(0xffff)) | value;
}

void media_begin(struct whit_tcb *t, uint16_t types)
{
    word_begin(t);
    t->media = types != 0 ? types : NODE_NONE;
}

// Of a message of SOAP. Its kind is not known before the word has ended; for others it does no harm.
static bool reads_charset(const struct media *m)
{
    return WHIT_HAS_CHARSETS && m->body != NULL && (!HAS_MULTIPART || m->body->kind != BODY_MULTIPART);
}

static void word_end(struct whit_tcb *t, const struct media *m)
{
    struct body *b = m->body;
    set_state(t, BETWEEN);
    if (b == NULL)
        return;
    uint16_t word = automaton_value(whit_words, t->request.node), type = automaton_value(whit_targets, TYPES(t));
    b->kind = word == WHIT_MEDIA_FORM ? BODY_FORM : word == WHIT_MEDIA_MULTIPART ? BODY_MULTIPART : BODY_RAW;
    b->content_type = type < TYPE_NONE ? (uint8_t)type : TYPE_NONE;
    if (reads_charset(m)) {
        set_value(t, 0);
        word_begin(t);
    }
}

// TYPES are not needed any more.
static void fold_octet(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    uint16_t before = MEDIA_VALUE(t);
    uint16_t after = m->wanted == WHIT_MEDIA_NAME ? automaton_step(whit_targets, before, c) : (uint16_t)BOUNDARY_HASH(before, (uint32_t)c);
    set_value(t, after);
}

static void store_octet(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    uint8_t at = (uint8_t)(t->media >> LENGTH_SHIFT);
    if (at < m->text_max) {
        if (WHIT_HAS_FORM_PARTS && m->folds)
            fold_octet(t, m, c);
        else
            m->text[at] = c;
        t->media += UINT32_C(1) << LENGTH_SHIFT;
    } else if (!m->partial) {
        refuse(t, HTTP_400);
    }
}

static void value_step(struct whit_tcb *t, const struct media *m, uint8_t c, uint8_t state)
{
    uint8_t wanted = state & WANTED;
    state &= (uint8_t)~WANTED;
    if (state == VALUE && c == '"') {
        set_state(t, QUOTED | wanted);
    } else if (state == QUOTED && c == '"') {
        set_state(t, BEHIND);
    } else if (state == QUOTED && c == '\\') {
        set_state(t, ESCAPED | wanted);
    } else if (state <= TOKEN && !is_tchar(c)) {
        if (c != ';' && c != ' ' && c != '\t')
            refuse(t, HTTP_400);
        else
            set_state(t, BETWEEN);
    } else {
        set_state(t, (state == ESCAPED ? QUOTED : state == VALUE ? TOKEN : state) | wanted);
        if (WHIT_HAS_PARTS && wanted != 0 && state == ESCAPED && m->partial && !(WHIT_HAS_FORM_PARTS && m->folds) && c != '"' && c != '\\')
            store_octet(t, m, '\\');    // of a file's name: browsers escape no backslash (HTML, "multipart/form-data encoding algorithm")
        if (wanted != 0)
            store_octet(t, m, c);
    }
}

// A file's name, or "filename*" (RFC 5987), in a form that has no files.
static bool names_file(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    if (m->wanted != WHIT_MEDIA_NAME || (c != '=' && c != '*') || automaton_value(whit_words, t->request.node) != WHIT_MEDIA_FILENAME)
        return false;
    if (WHIT_HAS_LOG)
        log_why(t, WHY_FILE);
    refuse(t, HTTP_415);
    return true;
}

static void name_step(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    if (WHIT_HAS_FORM_PARTS && names_file(t, m, c))
        return;
    if (is_tchar(c)) {
        word_step(t, c);
    } else if (c != '=') {
        refuse(t, HTTP_400);
    } else if ((m->text == NULL && !(WHIT_HAS_FORM_PARTS && m->folds)) || automaton_value(whit_words, t->request.node) != m->wanted) {
        set_state(t, VALUE);
    } else if (t->media >> LENGTH_SHIFT != 0) {
        refuse(t, HTTP_400);    // a second one
    } else {
        set_state(t, VALUE | WANTED);
        if (WHIT_HAS_FORM_PARTS && m->folds)
            set_value(t, m->names);
    }
}

// A parameter has ended.
static void charset_end(struct whit_tcb *t)
{
    uint16_t word = automaton_value(whit_words, t->request.node);
    if (word > WHIT_MEDIA_CHARSET && word <= WHIT_MEDIA_US_ASCII)
        set_value(t, word);
}

// An octet behind the type. What else stands there does not matter.
static void charset_step(struct whit_tcb *t, uint8_t c)
{
    if (c == ';' || c == ' ' || c == '\t') {
        charset_end(t);
        word_begin(t);
    } else if (c != '"') {
        word_step(t, c);
        if (automaton_value(whit_words, t->request.node) == WHIT_MEDIA_CHARSET)
            set_value(t, WHIT_MEDIA_CHARSET);
    }
}

// Parameters are read where one of them counts; elsewhere none can be wrong.
static bool has_parameters(const struct media *m)
{
    return WHIT_HAS_PARTS || (WHIT_HAS_FORM_PARTS && (m->body == NULL || m->body->kind == BODY_MULTIPART));
}

void media_step(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    uint8_t state = state_of(t);
    bool between = c == ';' || c == ' ' || c == '\t';
    if (reads_charset(m) && state >= BETWEEN) {
        charset_step(t, c);
        return;
    }
    if (state >= BETWEEN && !has_parameters(m))
        return;
    if ((state & ~WANTED) >= VALUE && state != BEHIND) {
        value_step(t, m, c, state);
    } else if (state == NAME) {
        name_step(t, m, c);
    } else if (between) {
        if (state == WORD)
            word_end(t, m);
        else if (state == BEHIND)
            set_state(t, BETWEEN);
    } else if (state == BETWEEN) {
        word_begin(t);
        set_state(t, NAME);
        name_step(t, m, c);
    } else if (state == BEHIND || !(is_tchar(c) || c == '/')) {
        refuse(t, HTTP_400);
    } else {
        uint8_t lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
        uint16_t types = automaton_step(whit_targets, TYPES(t), lower);
        word_step(t, c);
        t->media = types;
        set_state(t, WORD);
    }
}

uint8_t media_end(struct whit_tcb *t, const struct media *m)
{
    uint8_t state = state_of(t) & (uint8_t)~WANTED;
    if (state <= WORD)
        word_end(t, m);
    else if (reads_charset(m))
        charset_end(t);
    else if (has_parameters(m) && (state == NAME || state == VALUE || state == QUOTED || state == ESCAPED))
        refuse(t, HTTP_400);
    return reads_charset(m) ? (uint8_t)MEDIA_VALUE(t) : (uint8_t)(t->media >> LENGTH_SHIFT);
}
