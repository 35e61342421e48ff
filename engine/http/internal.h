// SPDX-License-Identifier: MIT
// For the files of this layer only: the parser, media types, arguments, bodies.
// Functions that the parser's files share. The parser takes one octet at a time and stores its state in struct
// whit_tcb's request alone, so that segments may split a request anywhere.
#ifndef WHIT_HTTP_INTERNAL_H
#define WHIT_HTTP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "xml.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../wss/wss.h"

// Each function takes an octet or ends a part of the request, and sets the next step, which may be STEP_REFUSED.
void refuse(struct whit_tcb *t, uint8_t status);
// head.c: c is '/', or the octet after an empty path; the number is a port
void path_begin(struct whit_tcb *t, uint8_t c);
void target_step(struct whit_tcb *t, uint8_t c);                     // STEP_PATH .. STEP_QUERY_VALUE
void query_octet(struct whit_tcb *t, uint8_t c);                     // c belongs to a query or a form
void argument_octet(struct whit_tcb *t, uint8_t c, bool escaped);    // argument.c
// argument.c, where WHIT_HAS_FORM_PARTS
bool text_takes(struct whit_tcb *t, uint8_t c);     // appends c; false: the current argument is no text, or is full
void text_end(struct whit_tcb *t, uint16_t len);    // ends the argument; cuts a text to its first `len` octets
void argument_begin(struct whit_tcb *t, uint16_t index);    // its value begins; NODE_NONE: it is not declared
void refuse_value(struct whit_tcb *t);                      // refuses the value of the current argument
uint8_t argument_type(const struct whit_tcb *t);            // the current argument's enum whit_argument_type
#define ARGUMENT_UNKNOWN 0xff
uint8_t argument_text(const struct whit_tcb *t);    // enum whit_text of a WHIT_STR
// Notes the error (enum whit_wrong) for a service, which is called and reports it; false: the resource is not a
// service.
bool service_wrong(struct whit_tcb *t, uint8_t wrong);
void argument_null(struct whit_tcb *t);
// Begins the value of the argument that whit_targets has in this state.
static inline void argument_named(struct whit_tcb *t, uint16_t node)
{
    t->request.node = node;
    argument_octet(t, '=', false);
}
void arguments_begin(struct whit_tcb *t);    // '?' was read
// no argument was read yet
static inline void arguments_unseen(struct whit_tcb *t)
{
    t->request.seen = 0;
}
void arguments_read(struct whit_tcb *t);    // they come in a body
void arguments_end(struct whit_tcb *t);     // the target ended, or the body
// argument.c, where WHIT_HAS_RECORDS: arguments in arrays and in records. The first wrong argument freezes all: the
// rest is skipped, and the place of the wrong one is kept for the report.
bool records_frozen(const struct whit_tcb *t);
void records_begin(struct whit_tcb *t);
uint8_t record_depth(const struct whit_tcb *t);      // 0: in no record
uint8_t argument_opens(const struct whit_tcb *t);    // first octet of its value: '[', '{', or 0 for any other
void record_enter(struct whit_tcb *t);               // the current argument
void record_leave(struct whit_tcb *t);
void array_enter(struct whit_tcb *t);
void array_leave(struct whit_tcb *t);
void array_next(struct whit_tcb *t);    // one more element of it begins
bool array_is_read(const struct whit_tcb *t);

void field_read(struct whit_tcb *t, uint8_t what);    // head.c: enum whit_field
void fields_end(struct whit_tcb *t);                  // the empty line was read

// Matches words of HTTP itself, which are case-insensitive.
static inline void word_begin(struct whit_tcb *t)
{
    t->request.node = WHIT_WORDS_MEDIA;
}
static inline void word_step(struct whit_tcb *t, uint8_t c)
{
    t->request.node = automaton_step(whit_words, t->request.node, c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static inline bool is_tchar(uint8_t c)
{
    return in_class(CLASS_TCHAR, c);
}

void body_claim(struct whit_tcb *t);         // the request line was read
void body_type_begin(struct whit_tcb *t);    // Content-Type's ':' was read
// STEP_TYPE; returns how many were read
uint16_t body_type_run(struct whit_tcb *t, const uint8_t *octets, uint16_t len);
void body_fields_end(struct whit_tcb *t);    // the empty line was read, of any request

// body.c: undoes the transfer coding of octets [body->ready, len), and may move them. Returns how many octets at the
// start of `octets` the coding took up: the body lies behind them. *status: HTTP_200 or the refusal.
uint16_t transfer_run(struct body *b, uint8_t *octets, uint16_t len, uint8_t *status);

// ------------------------------------------------------------------------------------------------ media types

// Media types and their parameters (body_head.c).

// body_head.c: "type/subtype; name=value", octet by octet; the state is in the slot's request.
struct media {
    // memory for the value of the wanted parameter; NULL: only the slot's request (MEDIA_VALUE)
    uint8_t *text;
    uint8_t text_max;
    uint8_t wanted;       // enum whit_media
    bool partial;         // a longer value is cut, not refused
    bool folds;           // MEDIA_VALUE is wanted: of a boundary its hash, of a name its state from `names` on
    uint16_t names;       // names in whit_targets
    struct body *body;    // gets kind and content type of the word; NULL: no body does
};
void media_begin(struct whit_tcb *t, uint16_t types);
void media_step(struct whit_tcb *t, const struct media *m, uint8_t c);
// octets of the text; or of a charset, enum whit_media, 0: none is given
uint8_t media_end(struct whit_tcb *t, const struct media *m);
// The value is in the slot's request, so that a segment with a wrong checksum changes nothing.
#define MEDIA_VALUE(t) ((uint16_t)(t)->media)
#define BOUNDARY_HASH(hash, c) ((hash) * 31 + (c))    // hash of one octet more; MEDIA_VALUE is the lower half of it

// ----------------------------------------------------------------------------------------------- both readers of heads

// Functions that both kinds of http_parse() share: operations of the grammar (grammar.h), and octets that the grammar
// does not read.

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

// Reads octets that the grammar does not read: at least one, which `left` does not count any more. Returns their
// number.
static inline uint16_t other_run(struct whit_tcb *t, const uint8_t *octets, uint16_t len)
{
    uint16_t read = 1;
    if (WHIT_HAS_BODY && t->request.step == STEP_TYPE)
        read = body_type_run(t, octets, len <= t->request.left ? len : (uint16_t)(t->request.left + 1));
    else
        target_step(t, octets[0]);
    if (WHIT_HAS_BODY)
        t->request.left = (uint16_t)(t->request.left - (read - 1));
    return read;
}

// ------------------------------------------------------------------------------------------------ arguments

// Parts of argument.c: arguments in arrays and in records (docs/services.md). All below is for
// services, and needs WHIT_HAS_RECORDS.

// argument, while a value is read: its index, and
#define UNKNOWN 0x80    // the resource has no such argument, as of NODE_NONE: it is passed over
#define INDEX 0x1f
// seen: for services, which have fewer arguments. The first error is in struct args_t.
#define FLAG_WRONG 0x8000

// request.c: returns HTTP_400, or the status that stands for it and its reason. wrong: enum whit_wrong, and the
// argument's index.
#if HAS_JSON_ERRORS
uint8_t wrong_status(const struct whit_tcb *t, uint8_t wrong);
#else
static inline uint8_t wrong_status(const struct whit_tcb *t, uint8_t wrong)
{
    (void)t;
    (void)wrong;
    return HTTP_400;
}
#endif

// argument.c
bool has_records(const struct whit_tcb *t);    // True if the called function has records among its arguments.
const struct whit_record *record_of(const struct whit_tcb *t);      // the record that is read
uint16_t record_outer(const struct whit_tcb *t, uint16_t index);    // the argument of the function in which it is
// Returns the offset of the record, or of its next element, in addition.
uint8_t record_offset(const struct whit_tcb *t, const struct whit_argument *argument);
bool array_is_full(const struct whit_tcb *t, const struct whit_argument *argument);
// an element has ended, of an array and if it was right
void array_count(struct whit_tcb *t);
bool array_clear(struct whit_tcb *t, const struct whit_argument *argument);    // false: it is not an array
// True in XML for an array that has an element already.
bool element_begin(struct whit_tcb *t);

// ------------------------------------------------------------------------------------------------ bodies

// For the files of this layer only.

// Reader of a body, while it is read.
struct reader {
    struct whit_tcb *tcb;
    const struct whit_post *post;    // pointer to flash
    struct body *body;
    uint8_t *octets;    // BLOCK_INPUT, of `len` octets; `body->ready` of them are there
    uint16_t len;
    uint16_t at;    // ... octets that were read
};

// Returns the state of a body in parts.
static inline struct parts *parts_kept(const struct reader *r)
{
    return (struct parts *)(void *)(r->body + 1);
}

// form.c
void form_begin(struct reader *r);
void form_run(struct reader *r);
bool form_end(struct reader *r);    // false: a signature is still to be verified

// form.c, where WHIT_HAS_FORM_PARTS
void form_parts_begin(struct body *b);
void form_parts_octet(struct whit_tcb *t, struct body *b, uint8_t c);
void form_parts_end(struct whit_tcb *t, struct body *b);    // refuses the request where the last delimiter is missing

// json.c
void json_octet(struct whit_tcb *t, struct body *b, uint8_t c);
bool json_ended(struct whit_tcb *t);    // the object is complete, or nothing came; else the request is refused

// soap.c
void soap_begin(struct reader *r);
void soap_run(struct reader *r);
bool soap_end(struct reader *r);    // the same

// body.c
void proof_awaited(void);              // a signature is to be verified
struct whit_tcb *proof_slice(void);    // one slice; whose signature is judged then, or NULL

// multipart.c
void parts_begin(struct reader *r);
bool parts_run(struct reader *r);    // true: its handler waits for something else than octets
bool parts_ended(const struct reader *r);
#define PART_OVER (-1)
#define PART_DRY (-2)                   // more must come first
int16_t part_peek(struct reader *r);    // an octet of the part, PART_OVER, PART_DRY
extern struct reader *body_reader;      // reader of the current body, also while its doPostIn runs; else NULL

// ------------------------------------------------------------------------------------------------ the Security header

// The Security header of a message of SOAP, and the facts that it proves, while the message is read.

struct soap_security {
    bool must;      // it must be understood
    bool opened;    // by the last event, for us
#if WHIT_HAS_DIGEST
    struct wss token;
#endif
#if WHIT_HAS_SIGNATURE
    struct wss_signed message;
#endif
};

// Length of the state of a message; after it, the facts that a Security header proves.
#define SOAP_LEN (HAS_WSS ? 352 : WHIT_SOAP_KEPT)
struct soap_security *security_kept(const struct whit_tcb *t);    // state of the message in t

void security_begin(struct soap_security *s);
// `in_header`: below the Header; `ours`: the element is for us.
void security_event(struct soap_security *s, const struct xml *x, enum xml_event event, const struct xml_input *in,
                    bool in_header, bool ours);
// Checks a complete message; returns enum wss_fault. `security`: enum whit_security of the called operation. WSS_MORE:
// call it again when a slice returned true.
uint8_t security_admits(struct soap_security *s, uint8_t security);
bool security_slice(struct soap_security *s);

#endif
