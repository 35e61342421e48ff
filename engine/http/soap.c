// SPDX-License-Identifier: MIT
// A message of SOAP 1.1 or 1.2 as a body. The child of its Body names an operation of the service; the children of that
// are its arguments. The same machine reads them as those of a form. The function runs when the message has ended
// without an error. The state between two octets is behind the arguments, and is freed before the function runs.
#include <string.h>

#include "internal.h"
#include "xml.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../response/response.h"

enum soap_part { SOAP_BEFORE, SOAP_HEADER, SOAP_BETWEEN, SOAP_BODY, SOAP_CALLED /* its child began */, SOAP_BEHIND };
enum soap_depth {
    DEPTH_ENVELOPE = 1,
    DEPTH_PART,
    DEPTH_BLOCK /* block of a header, or the operation */,
    DEPTH_ARGUMENT
};

enum soap_value {
    VALUE_TEXT /* as it is */,
    VALUE_OCTETS,
    VALUE_NONE,
    VALUE_SIGN,
    VALUE_POINT /* no digit yet */,
    VALUE_SOME,
    VALUE_SPACE /* behind it */
};

// Attributes of headers and arguments, by their words.
enum soap_given { GIVEN_MUST, GIVEN_ROLE, GIVEN_NIL, GIVEN_STYLE, GIVEN_CNT };
_Static_assert(WHIT_SOAP_WORD_ROLE - WHIT_SOAP_WORD_MUST == GIVEN_ROLE &&
                   WHIT_SOAP_WORD_NIL - WHIT_SOAP_WORD_MUST == GIVEN_NIL,
               "tables.h");
_Static_assert(WHIT_SOAP_WORD_STYLE - WHIT_SOAP_WORD_MUST == GIVEN_STYLE, "tables.h");

struct soap {
    uint8_t wrong;    // enum whit_soap_wrong
    uint8_t part;     // enum soap_part
    uint8_t value;    // enum soap_value
    uint8_t type;     // type of the argument
    // 1 + the index of an attribute of the tag: not false, a role that is not ours, true, any
    uint8_t given[GIVEN_CNT];
    uint8_t envelope, space;    // namespaces of the Envelope and of the operation
    uint32_t at;                // octets of the message before this input; where it was wrong
    struct xml xml;
};
_Static_assert(!HAS_WSS || SOAP_LEN + sizeof(struct soap_security) <= WHIT_SOAP_KEPT, "room.h");
_Static_assert(sizeof(struct soap) <= SOAP_LEN && WHIT_SOAP_KEPT % 8 == 0 && (int)XML_URI_XML == (int)WHIT_SOAP_URI_XML,
               "room.h, tables.h");

static struct soap *soap_of(const struct whit_tcb *t)
{
    uint16_t len;
    uint8_t *block = buffer_find(t, BLOCK_BODY, &len);
    return (struct soap *)(void *)(block + len - WHIT_SOAP_KEPT);
}

static struct soap_security *security_of(struct soap *s)
{
    return (struct soap_security *)(void *)((uint8_t *)s + SOAP_LEN);
}

__attribute__((noinline)) static const struct whit_generator *generator_at(uint16_t resource)
{
    return whit_flash_ptr(&whit_resources[resource].generator);
}

void soap_begin(struct reader *r)
{
    struct whit_tcb *t = r->tcb;
    struct soap *s = soap_of(t);
    r->body->step = STEP_QUERY_SKIP;
    memset(s, 0, sizeof *s);
    if (HAS_WSS)
        security_begin(security_of(s));
    xml_begin(&s->xml, keyed_hash(t, HASH_XML).low, WHIT_SOAP_WORDS);
    uint8_t charset = WHIT_HAS_CHARSETS ? r->body->charset : 0;
    if (charset != 0) {
        s->xml.charset = (charset - WHIT_MEDIA_UTF_8) & 3u;
        s->xml.fixed = true;
    }
}

// ------------------------------------------------------------------------------------------------ elements

static void soap_valued(struct soap *s)
{
    uint16_t given = (uint16_t)(s->xml.attribute - WHIT_SOAP_WORD_MUST), value = s->xml.value;
    if (s->xml.declares || given >= GIVEN_CNT)
        return;
    if (given == GIVEN_NIL ? value == WHIT_SOAP_WORD_TRUE
                           : value != (given == GIVEN_MUST ? WHIT_SOAP_WORD_FALSE : WHIT_SOAP_WORD_OURS))
        s->given[given] = s->xml.attribute_cnt;
}

static bool soap_has(const struct soap *s, enum soap_given given, uint16_t uri)
{
    uint8_t attribute = s->given[given];
    return attribute != 0 && xml_attribute_uri(&s->xml, (uint8_t)(attribute - 1)) == uri;
}

static uint8_t envelope_opened(struct soap *s, struct body *b, uint16_t uri)
{
    s->envelope = (uint8_t)uri;
    b->content_type = uri == WHIT_SOAP_URI_12;
    if (s->xml.name != WHIT_SOAP_WORD_ENVELOPE)
        return WHIT_SOAP_ENVELOPE;
    return uri == WHIT_SOAP_URI_11 || uri == WHIT_SOAP_URI_12 ? WHIT_SOAP_FINE : WHIT_SOAP_VERSION;
}

static uint8_t part_opened(const struct whit_tcb *t, struct soap *s, uint16_t uri)
{
    uint16_t name = s->xml.name;
    bool header = name == WHIT_SOAP_WORD_HEADER && s->part == SOAP_BEFORE;
    if (uri != s->envelope || (!header && (name != WHIT_SOAP_WORD_BODY || s->part > SOAP_BETWEEN)))
        return WHIT_SOAP_ENVELOPE;
    s->part = header ? SOAP_HEADER : SOAP_BODY;
    if (!header)
        s->xml.names_at = whit_flash_u16(&generator_at(t->request.resource)->names);
    return WHIT_SOAP_FINE;
}

// Handles a header. Only a Security is understood, if the called operation requires it.
static uint8_t header_opened(struct soap *s)
{
    if (!soap_has(s, GIVEN_MUST, s->envelope) || soap_has(s, GIVEN_ROLE, s->envelope))
        return WHIT_SOAP_FINE;
    if (!HAS_WSS || !security_of(s)->opened)
        return WHIT_SOAP_HEADER;
    security_of(s)->must = true;
    return WHIT_SOAP_FINE;
}

// From here on, the request's resource is the operation.
static uint8_t operation_opened(struct whit_tcb *t, struct soap *s, uint16_t uri)
{
    if (s->xml.name == NODE_NONE || uri != service_uri(generator_at(t->request.resource)))
        return WHIT_SOAP_OPERATION;
    s->part = SOAP_CALLED;
    s->space = (uint8_t)uri;
    t->request.resource = s->xml.name & 0xfffu;
    arguments_unseen(t);
    if (HAS_WSS && security_of(s)->must && service_security(generator_at(t->request.resource)) == WHIT_SECURITY_NONE)
        return WHIT_SOAP_HEADER;
    t->request.node = NODE_NONE;
    if (WHIT_HAS_RECORDS)
        records_begin(t);
    arguments_read(t);
    s->xml.names_at = t->request.node;
    return WHIT_SOAP_FINE;
}

// Elements of that depth are arguments, or values of the record that is open.
static uint8_t argument_depth(const struct whit_tcb *t)
{
    return WHIT_HAS_RECORDS ? (uint8_t)(DEPTH_ARGUMENT + record_depth(t)) : DEPTH_ARGUMENT;
}

static uint8_t argument_opened(struct whit_tcb *t, struct soap *s, uint16_t uri)
{
    if (s->xml.name == NODE_NONE || (uri != s->space && uri != XML_URI_NONE))
        return WHIT_SOAP_ARGUMENT;
    argument_begin(t, s->xml.name);
    if (soap_has(s, GIVEN_NIL, WHIT_SOAP_URI_XSI))
        argument_null(t);
    s->type = argument_type(t);
    s->value = VALUE_NONE;
    if (WHIT_HAS_RECORDS && s->type == WHIT_RECORD) {
        record_enter(t);
        s->xml.names_at = t->request.node;
    }
    if (s->type == WHIT_STR && argument_text(t) >= WHIT_TEXT_BASE64)
        s->value = VALUE_OCTETS;
    else if (s->type == WHIT_ENUM || (s->type == WHIT_STR && argument_text(t) <= WHIT_TEXT_UTF8))
        s->value = VALUE_TEXT;
    return WHIT_SOAP_FINE;
}

static uint8_t soap_opened(struct whit_tcb *t, struct soap *s, struct body *b)
{
    uint16_t uri = xml_element_uri(&s->xml);
    uint8_t depth = s->xml.depth;
    if (depth <= DEPTH_PART && soap_has(s, GIVEN_STYLE, WHIT_SOAP_URI_12))
        return WHIT_SOAP_ENVELOPE;    // SOAP 1.2 part 1, section 5.1.1
    if (depth == DEPTH_ENVELOPE)
        return envelope_opened(s, b, uri);
    if (depth == DEPTH_PART)
        return part_opened(t, s, uri);
    if (s->part == SOAP_HEADER)
        return depth == DEPTH_BLOCK ? header_opened(s) : WHIT_SOAP_FINE;
    if (s->part == SOAP_BODY)
        return operation_opened(t, s, uri);
    if (WHIT_HAS_RECORDS && depth >= DEPTH_ARGUMENT && records_frozen(t))
        return WHIT_SOAP_FINE;
    if (depth == argument_depth(t))
        return argument_opened(t, s, uri);
    return depth == DEPTH_BLOCK ? WHIT_SOAP_ENVELOPE : WHIT_SOAP_SINGLE;
}

// ------------------------------------------------------------------------------------------------ values

static bool soap_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Takes an octet of a value. White space around it is ignored except in a text (XML Schema 1.1 part 2, section 4.3.6);
// in base64 it may be anywhere.
static void soap_value_octet(struct whit_tcb *t, struct soap *s, uint8_t c)
{
    uint8_t before = s->value;
    bool number = s->type < WHIT_BOOL, sign = c == '+' || c == '-';
    if (before != VALUE_TEXT && soap_blank(c)) {
        if (before > VALUE_NONE)
            s->value = VALUE_SPACE;
        return;
    }
    if (before >= VALUE_NONE) {
        s->value = VALUE_SOME;
        if (before == VALUE_SPACE || (before == VALUE_SIGN && sign)) {
            refuse_value(t);
            return;
        }
        if (before == VALUE_NONE && number && sign)
            s->value = VALUE_SIGN;
        if (before < VALUE_POINT && number && c == '.')
            s->value = VALUE_POINT;
        if (s->value == VALUE_POINT || (s->value == VALUE_SIGN && c == '+'))
            return;
        if (before == VALUE_POINT) {
            argument_octet(t, '0', true);    // ".5"
            argument_octet(t, '.', true);
        }
    }
    argument_octet(t, c, true);
}

// An element of the operation ended; `depth` is that of its parent.
static void value_closed(struct whit_tcb *t, struct soap *s, uint8_t depth)
{
    if (WHIT_HAS_RECORDS && records_frozen(t))
        return;
    if (depth + 1 == argument_depth(t)) {
        argument_octet(t, '&', false);
    } else if (WHIT_HAS_RECORDS && depth + 2 == argument_depth(t)) {
        record_leave(t);
        if (!records_frozen(t))    // else node is no place of names
            s->xml.names_at = t->request.node;
    }
}

static uint8_t soap_text(struct whit_tcb *t, struct soap *s, const struct xml_input *in)
{
    uint8_t depth = s->xml.depth;
    bool called = s->part == SOAP_CALLED;
    if (WHIT_HAS_RECORDS && called && depth >= DEPTH_ARGUMENT && records_frozen(t))
        return WHIT_SOAP_FINE;
    if (s->part == SOAP_HEADER && depth > DEPTH_PART)
        return WHIT_SOAP_FINE;
    for (uint16_t i = 0; i < in->len; i++)
        if (called && depth == argument_depth(t))
            soap_value_octet(t, s, in->octets[i]);
        else if (!soap_blank(in->octets[i]))
            return called ? WHIT_SOAP_SINGLE : WHIT_SOAP_ENVELOPE;
    return WHIT_SOAP_FINE;
}

static uint8_t soap_closed(struct whit_tcb *t, struct soap *s)
{
    uint8_t depth = s->xml.depth;
    if (s->part == SOAP_CALLED && (WHIT_HAS_RECORDS ? depth >= DEPTH_BLOCK : depth == DEPTH_BLOCK))
        value_closed(t, s, depth);
    if (depth < DEPTH_PART && (s->part == SOAP_HEADER || s->part == SOAP_CALLED))
        s->part++;
    return depth != 0 || s->part == SOAP_BEHIND ? WHIT_SOAP_FINE : WHIT_SOAP_ENVELOPE;    // nothing was called
}
_Static_assert(SOAP_HEADER + 1 == SOAP_BETWEEN && SOAP_CALLED + 1 == SOAP_BEHIND, "soap_closed()");

// ------------------------------------------------------------------------------------------------ all of it

// Handles an event of the scanner. Returns the error, enum whit_soap_wrong.
static uint8_t soap_event(struct whit_tcb *t, struct soap *s, struct body *b, enum xml_event event,
                          const struct xml_input *in)
{
    if (HAS_WSS && event != XML_WRONG) {
        bool in_header = s->part == SOAP_HEADER && s->xml.depth >= DEPTH_PART;
        bool ours = event == XML_OPENED && !soap_has(s, GIVEN_ROLE, s->envelope);
        security_event(security_of(s), &s->xml, event, in, in_header, ours);
    }
    switch (event) {
    case XML_WRONG:
        return WHIT_SOAP_XML;
    case XML_NAME:
        memset(s->given, 0, sizeof s->given);
        break;
    case XML_VALUED:
        soap_valued(s);
        break;
    case XML_OPENED:
        return soap_opened(t, s, b);
    case XML_TEXT:
        return soap_text(t, s, in);
    case XML_CLOSED:
        return soap_closed(t, s);
    default:
        break;
    }
    return WHIT_SOAP_FINE;
}

void soap_run(struct reader *r)
{
    if (r->at == r->body->ready)
        return;    // nothing has come
    struct whit_tcb *t = r->tcb;
    struct soap *s = soap_of(t);
    struct xml_input in = {r->octets + r->at, r->octets + r->body->ready, NULL, 0};
    const uint8_t *from = in.at;
    enum xml_event event;
    t->request.step = r->body->step;
    while (s->wrong == WHIT_SOAP_FINE && (event = xml_next(&s->xml, &in)) != XML_MORE)
        s->wrong = soap_event(t, s, r->body, event, &in);
    s->at += (uint32_t)(in.at - from);
    r->at = r->body->ready;    // nothing behind the error counts
    r->body->step = t->request.step;
    t->request.step = STEP_BODY;
}

bool soap_end(struct reader *r)
{
    struct whit_tcb *t = r->tcb;
    struct soap *s = soap_of(t);
    uint16_t len;
    if (s->wrong == WHIT_SOAP_FINE && !xml_ended(&s->xml)) {
        s->xml.why = XML_CUT;
        s->wrong = WHIT_SOAP_XML;
    }
    if (HAS_WSS && s->wrong == WHIT_SOAP_FINE) {    // once, as the message is remembered
        uint8_t fault = security_admits(security_of(s), service_security(generator_at(t->request.resource)));
        if (HAS_PROOFS && fault == WSS_MORE) {
            r->body->proves = true;
            return false;
        }
        r->body->proves = false;
        s->xml.why = fault;
        if (fault != WSS_FINE)
            s->wrong = WHIT_SOAP_SECURITY;
    }
    t->request.step = r->body->step;
    if (s->wrong == WHIT_SOAP_FINE) {
        arguments_end(t);
    } else {
        t->request.resource = r->body->resource & 0xfffu;    // its answer has the reason
        uint8_t *told = body_arguments(r->body);
        told[0] = s->wrong;
        told[1] = s->xml.why;
        told[2] = s->wrong != WHIT_SOAP_HEADER && (s->part == SOAP_BODY || s->part == SOAP_CALLED);
        memcpy(told + sizeof(uint32_t), &s->at, sizeof s->at);
    }
    uint16_t kept = 0;
#if WHIT_HAS_REPLIES
    if (s->wrong == WHIT_SOAP_FINE && service_security(generator_at(t->request.resource)) == WHIT_SECURITY_SIGNED) {
        reply_keep((struct wss_reply *)(void *)s, &security_of(s)->message);
        kept = REPLY_KEPT;
    }
#endif
    (void)buffer_find(t, BLOCK_BODY, &len);
    buffer_cut(t, BLOCK_BODY, (uint16_t)(len - WHIT_SOAP_KEPT + kept));
    return true;
}

// ------------------------------------------------------------------------------------------------ the Security header

#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE

struct soap_security *security_kept(const struct whit_tcb *t)
{
    uint16_t len;
    uint8_t *block = buffer_find(t, BLOCK_BODY, &len);
    return (struct soap_security *)(void *)(block + len - WHIT_SOAP_KEPT + SOAP_LEN);
}

void security_begin(struct soap_security *s)
{
    s->must = s->opened = false;
#if WHIT_HAS_DIGEST
    wss_begin(&s->token);
#endif
#if WHIT_HAS_SIGNATURE
    signed_begin(&s->message);
#endif
}

#if WHIT_HAS_DIGEST
// Handles an event in the Header. True: a Security element was opened.
static bool token_event(struct wss *w, const struct xml *x, enum xml_event event, const struct xml_input *in, bool ours)
{
    switch (event) {
    case XML_VALUED:
        if (!x->declares)
            wss_valued(w, x->attribute, x->value);
        break;
    case XML_OPENED:
        return wss_opened(w, ours ? xml_element_uri(x) : XML_URI_NONE, x->name);
    case XML_TEXT:
        wss_text(w, in->octets, in->len);
        break;
    case XML_CLOSED:
        wss_closed(w);
        break;
    default:
        break;
    }
    return false;
}
#endif

#if WHIT_HAS_SIGNATURE
static bool message_event(struct wss_signed *w, enum xml_event event, const struct xml_input *in, bool ours)
{
    switch (event) {
    case XML_NAME:
        signed_name(w, in->octets, in->len);
        break;
    case XML_ATTRIBUTE:
        signed_attribute(w, in->octets, in->len);
        break;
    case XML_VALUE:
        signed_value(w, in->octets, in->len);
        break;
    case XML_VALUED:
        signed_valued(w);
        break;
    case XML_OPENED:
        return signed_opened(w, ours);
    case XML_TEXT:
        signed_text(w, in->octets, in->len);
        break;
    case XML_END_NAME:
        signed_end_name(w, in->octets, in->len);
        break;
    case XML_CLOSED:
        signed_closed(w);
        break;
    default:
        break;
    }
    return false;
}
#endif

void security_event(struct soap_security *s, const struct xml *x, enum xml_event event, const struct xml_input *in,
                    bool in_header, bool ours)
{
    s->opened = false;
#if WHIT_HAS_DIGEST
    if (in_header)
        s->opened = token_event(&s->token, x, event, in, ours);
#endif
#if WHIT_HAS_SIGNATURE
    s->opened |= message_event(&s->message, event, in, ours);
#endif
    (void)x;
    (void)in_header;
}

uint8_t security_admits(struct soap_security *s, uint8_t security)
{
#if WHIT_HAS_DIGEST
    if (security == WHIT_SECURITY_DIGEST)
        return (uint8_t)wss_admit(&s->token);
#endif
#if WHIT_HAS_SIGNATURE
    if (security == WHIT_SECURITY_SIGNED)
        return (uint8_t)signed_admit(&s->message);
#endif
    return security == WHIT_SECURITY_NONE ? WSS_FINE : WSS_INVALID;
}

#if WHIT_HAS_SIGNATURE
bool security_slice(struct soap_security *s)
{
    return signed_slice(&s->message);
}
#endif

#endif
