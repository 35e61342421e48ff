// SPDX-License-Identifier: MIT
// The body as the request's head describes it: whether it is accepted, its kind and its length.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"
#include "whit/app.h"
#include "whit/port.h"

_Static_assert(sizeof(struct body) + FORM_PARTS_LEN + 4 <= WHIT_FORM_KEPT &&
                   sizeof(struct body) + PARTS_LEN + 4 <= WHIT_PARTS_KEPT,
               "room.h");

// True if another connection will free memory.
static bool others_keep(void)
{
    const struct whit_tcb *slot = whit.rx.slot != NULL ? whit.rx.slot : whit_slots + WHIT_CONNECTIONS;
    return buffer_others(slot);
}

#define PROOFS_ROOM (INPUT_LEN / 2 / WHIT_SOAP_KEPT)
#define PROOFS_SLOTS (WHIT_CONNECTIONS / 2)
#define PROOFS_LESS (PROOFS_ROOM < PROOFS_SLOTS ? PROOFS_ROOM : PROOFS_SLOTS)
#define PROOFS_MAX (PROOFS_LESS != 0 ? PROOFS_LESS : 1)

// True if half of the messages that fit are of this host and wait for their signatures to be verified. Another message
// of the host finds no room.
static bool proofs_crowd(uint32_t addr)
{
    uint16_t cnt = 0;
    for (const struct whit_tcb *one = whit_slots; one != whit_slots + WHIT_CONNECTIONS && cnt < PROOFS_MAX; one++)
        if (one->remote_addr == addr && body_proves(one))
            cnt++;
    return cnt == PROOFS_MAX;
}

// Reserves the blocks of a body. A request that leaves no room for the body's octets waits until others have freed
// theirs; otherwise all could wait for ever.
void body_claim(struct whit_tcb *t)
{
    const struct whit_generator *generator = body_generator(t);
    const struct whit_post *post = generator != NULL ? whit_flash_ptr(&generator->post) : NULL;
    if (post == NULL)
        return;
    uint16_t len = body_block_len(generator);
    uint16_t room = body_takes_parts(post) ? INPUT_SHARE : FORM_ROOM;
    bool crowded = HAS_PROOFS && body_is_endpoint(generator) && proofs_crowd(t->remote_addr);
    if (crowded || !buffer_reserve_block(len) || (buffer_input_room() < room && others_keep())) {
        t->request.step = STEP_STARVED;
        return;
    }
    reservation_has_body();
    struct body *b = (struct body *)(void *)buffer_reserved();
    memset(b, 0, len);
    b->edge = t->rcv_nxt + WHIT_RCV_WND;
}

// ------------------------------------------------------------------------------------------------ Content-Type

static struct media media_of(const struct whit_tcb *t)
{
    struct body *b = body_here(t);
    struct media m = {NULL, BOUNDARY_MAX, WHIT_MEDIA_BOUNDARY, false, false, 0, b};
    if (WHIT_HAS_PARTS && body_takes_parts(body_post(t)))
        m.text = ((struct parts *)(void *)(b + 1))->delimiter + 4;
    else
        m.folds = WHIT_HAS_FORM_PARTS;
    return m;
}

void body_type_begin(struct whit_tcb *t)
{
    const struct whit_post *post = body_post(t);
    if (post == NULL)
        return;
    t->request.step = STEP_TYPE;
    if ((t->request.flags & FLAG_TYPE) != 0)
        refuse(t, HTTP_400);
    t->request.flags |= FLAG_TYPE;
    media_begin(t, whit_flash_u16(&post->types));
}

static void type_end(struct whit_tcb *t, const struct media *m)
{
    m->body->boundary_len = media_end(t, m);
    if (WHIT_HAS_FORM_PARTS && m->folds)
        form_parts_of(m->body)->boundary = MEDIA_VALUE(t);
    t->request.node = WHIT_WORDS_LINES;
    if (t->request.step == STEP_TYPE) {
        t->request.step = STEP_READ;
        t->request.otherwise = 0;    // OP_ELSE of the field's name is over
    }
}

uint16_t body_type_run(struct whit_tcb *t, const uint8_t *octets, uint16_t len)
{
    struct media m = media_of(t);
    uint16_t at = 0;
    while (at != len && t->request.step == STEP_TYPE) {
        uint8_t c = octets[at++];
        if (c == '\r')
            type_end(t, &m);
        else if (c < ' ' ? c != '\t' : c == 0x7f)    // RFC 9110 section 5.5
            refuse(t, HTTP_400);
        else
            media_step(t, &m, c);
    }
    return at;
}

// ------------------------------------------------------------------------------------------------ the head's end

// A service may be called by JSON alone: no page of another site can send that without asking.
static bool takes_forms(const struct whit_tcb *t)
{
    const struct whit_service *service = service_of(whit_flash_ptr(&whit_resources[t->request.resource].generator));
    return service == NULL || (whit_flash_u8(&service->ways) & WHIT_BY_FORM) != 0;
}

// Returns the status of a body for a SOAP endpoint. A message without a type and without octets is an error of its own.
static uint8_t judge_soap(struct body *b, bool typed)
{
    b->kind = typed                  ? b->kind == BODY_RAW && b->content_type != TYPE_NONE ? BODY_SOAP : BODY_RAW
              : b->kind == BODY_FORM ? BODY_SOAP
                                     : BODY_RAW;
    if (!typed)
        b->content_type = 0;
    if (WHIT_HAS_CHARSETS && !typed)
        b->charset = 0;
    if (WHIT_HAS_CHARSETS && b->kind == BODY_SOAP && b->charset == WHIT_MEDIA_CHARSET) {
        if (WHIT_HAS_LOG)
            log_why(&whit.rx.pending, WHY_CHARSET);
        return HTTP_415;
    }
    return b->kind == BODY_SOAP ? HTTP_200 : HTTP_415;
}

// Returns HTTP_200 if the resource accepts a body of this type, or the status of the refusal.
static uint8_t judge_type(const struct whit_tcb *t, const struct whit_post *post, struct body *b, uint16_t flags)
{
    bool typed = (flags & FLAG_TYPE) != 0, takes_parts = body_takes_parts(post);
    if (!typed) {
        b->kind = !takes_parts && (flags & FLAG_BODY) == 0 ? BODY_FORM : BODY_RAW;
        b->content_type = TYPE_NONE;
    }
    if (WHIT_HAS_SOAP && body_is_endpoint(body_generator(t)))
        return judge_soap(b, typed);
    if (WHIT_HAS_SOAP_ALONE)
        return HTTP_415;
    if (WHIT_HAS_JSON && typed && !takes_parts && b->kind == BODY_RAW && b->content_type != TYPE_NONE)
        b->kind = BODY_JSON;                                             // the one type that a doPost may declare
    if (WHIT_HAS_SERVICES && b->kind == BODY_FORM && !takes_forms(t))    // without a type and a body it is a form too
        b->kind = BODY_RAW;
    if (WHIT_HAS_FORM_PARTS && typed && !takes_parts && b->kind == BODY_MULTIPART && takes_forms(t)) {
        b->kind = BODY_FORM_PARTS;
        return b->boundary_len != 0 ? HTTP_200 : HTTP_400;
    }
    if (!takes_parts)
        return is_form(b) ? HTTP_200 : HTTP_415;
    if (typed && b->kind == BODY_MULTIPART)
        return b->boundary_len != 0 ? HTTP_200 : HTTP_400;
    b->kind = BODY_RAW;
    if (whit_flash_u16(&post->types) == 0)
        b->content_type = 0;
    return b->content_type != TYPE_NONE ? HTTP_200 : HTTP_415;
}

// The same for its length. A part for a handler that is not a thread must lie in the buffer's input as a whole.
static uint8_t judge_length(const struct whit_post *post, struct body *b, uint16_t flags)
{
    uint32_t max = whit_flash_u32(&post->body_max);
    b->room = max;
    if ((flags & FLAG_LENGTH) == 0)
        b->left = 0;
    if (b->left > max)
        return HTTP_413;
    bool whole = WHIT_HAS_PARTS && b->kind == BODY_RAW && whit_flash_ptr(&post->in) != NULL;
    if (WHIT_HAS_LOG && whole && b->left > WHIT_BUFFER / 2)
        log_why_all(&whit.rx.pending, WHY_WHOLE_MAX, WHIT_NAME_NONE, b->left, WHIT_BUFFER / 2);
    return whole && b->left > WHIT_BUFFER / 2 ? HTTP_413 : HTTP_200;
}

void body_fields_end(struct whit_tcb *t)
{
    uint16_t flags = t->request.flags;
    const struct whit_post *post = body_post(t);
    t->request.step = STEP_DONE;
    if (post == NULL || (flags & (FLAG_MATCH | FLAG_MATCHED)) == FLAG_MATCH)
        return;    // the body is not read
    struct body *b = body_here(t);
    uint8_t status = judge_type(t, post, b, flags);
    if (status == HTTP_200)
        status = judge_length(post, b, flags);
    if (WHIT_HAS_LOG && status != HTTP_200)
        log_why_number(t,
                       status == HTTP_415   ? WHY_TYPE
                       : status == HTTP_413 ? WHY_BODY_MAX
                                            : WHY_BOUNDARY,
                       WHIT_BODY_MAX);
    if (status != HTTP_200)
        refuse(t, status);
    else
        t->request.step = STEP_BODY;
}

// ------------------------------------------------------------------------------------------------ media types

// A media type or a disposition with its parameters (RFC 9110 section 8.3.1, RFC 2183), read octet by octet. The word
// before the parameters is compared with HTTP's words and the words that a resource declares. The value of one
// parameter is kept.

// media: node in the declared types, state, octets of the text.
#define TYPES(t) ((uint16_t)(t)->media)
#define STATE_SHIFT 16
#define LENGTH_SHIFT 24
#define WANTED 0x80    // flag of a state: this is the parameter

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

// True for a message of SOAP. Its kind is unknown until the word has ended; for other bodies it does no harm.
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

// Adds an octet to the hash or the automaton of the value; TYPES are not needed any more.
static void fold_octet(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    uint16_t before = MEDIA_VALUE(t);
    uint16_t after = m->wanted == WHIT_MEDIA_NAME ? automaton_step(whit_targets, before, c)
                                                  : (uint16_t)BOUNDARY_HASH(before, (uint32_t)c);
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
        if (WHIT_HAS_PARTS && wanted != 0 && state == ESCAPED && m->partial && !(WHIT_HAS_FORM_PARTS && m->folds) &&
            c != '"' && c != '\\')
            // a file's name: browsers do not escape a backslash (HTML, "multipart/form-data encoding algorithm")
            store_octet(t, m, '\\');
        if (wanted != 0)
            store_octet(t, m, c);
    }
}

// A file's name, or "filename*" (RFC 5987), in a form that has no files.
static bool names_file(struct whit_tcb *t, const struct media *m, uint8_t c)
{
    if (m->wanted != WHIT_MEDIA_NAME || (c != '=' && c != '*') ||
        automaton_value(whit_words, t->request.node) != WHIT_MEDIA_FILENAME)
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
    } else if ((m->text == NULL && !(WHIT_HAS_FORM_PARTS && m->folds)) ||
               automaton_value(whit_words, t->request.node) != m->wanted) {
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

// Takes an octet after the type. Other octets there are ignored.
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
