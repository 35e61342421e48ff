// SPDX-License-Identifier: MIT
// Functions that the parser's files share. The parser takes one octet at a time and stores its state in struct whit_tcb's
// request alone, so that segments may split a request anywhere.
#ifndef WHIT_HTTP_PARSER_H
#define WHIT_HTTP_PARSER_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/automaton.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/tcb.h"

// Each function takes an octet or ends a part of the request, and sets the next step, which may be STEP_REFUSED.
void refuse(struct whit_tcb *t, uint8_t status);
void path_begin(struct whit_tcb *t, uint8_t c);       // http_target.c: c is '/', or stands after an empty path; the number is a port
void target_step(struct whit_tcb *t, uint8_t c);      // STEP_PATH .. STEP_QUERY_VALUE
void query_octet(struct whit_tcb *t, uint8_t c);      // c belongs to a query or a form
void argument_octet(struct whit_tcb *t, uint8_t c, bool escaped);    // http_argument.c
// http_text.c, where WHIT_HAS_FORM_PARTS
bool text_takes(struct whit_tcb *t, uint8_t c);        // appends c; false: the current argument is no text, or is full
void text_end(struct whit_tcb *t, uint16_t len);      // ends the argument; cuts a text to its first `len` octets
void argument_begin(struct whit_tcb *t, uint16_t index);             // its value begins; NODE_NONE: it is not declared
void refuse_value(struct whit_tcb *t);                // of the current argument
uint8_t argument_type(const struct whit_tcb *t);      // the current argument's enum whit_argument_type
#define ARGUMENT_UNKNOWN 0xff
uint8_t argument_text(const struct whit_tcb *t);      // enum whit_text of a WHIT_STR
// Notes the mistake (enum whit_wrong) for a service, which is called and reports it; false: the resource is no service.
bool service_wrong(struct whit_tcb *t, uint8_t wrong);
void argument_null(struct whit_tcb *t);
// Begins the value of the argument that whit_targets has in this state.
static inline void argument_named(struct whit_tcb *t, uint16_t node)
{
    t->request.node = node;
    argument_octet(t, '=', false);
}
void arguments_begin(struct whit_tcb *t);             // '?' was read
static inline void arguments_unseen(struct whit_tcb *t) { t->request.seen = 0; }    // no argument was read yet
void arguments_read(struct whit_tcb *t);              // they come in a body
void arguments_end(struct whit_tcb *t);               // the target ended, or the body
// http_record.c, where WHIT_HAS_RECORDS: arguments in arrays and in records. The first wrong argument freezes all: the rest is
// skipped, and the place of the wrong one is kept for the report.
bool records_frozen(const struct whit_tcb *t);
void records_begin(struct whit_tcb *t);
uint8_t record_depth(const struct whit_tcb *t);       // 0: in no record
uint8_t argument_opens(const struct whit_tcb *t);     // first octet of its value: '[', '{', or 0 for any other
void record_enter(struct whit_tcb *t);                // the current argument
void record_leave(struct whit_tcb *t);
void array_enter(struct whit_tcb *t);
void array_leave(struct whit_tcb *t);
void array_next(struct whit_tcb *t);                  // one more element of it begins
bool array_is_read(const struct whit_tcb *t);

void field_read(struct whit_tcb *t, uint8_t what);    // http_field.c: enum whit_field
void fields_end(struct whit_tcb *t);                  // the empty line was read

// Matches words of HTTP itself, which are case-insensitive.
static inline void word_begin(struct whit_tcb *t) { t->request.node = WHIT_WORDS_MEDIA; }
static inline void word_step(struct whit_tcb *t, uint8_t c)
{
    t->request.node = automaton_step(whit_words, t->request.node, c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static inline bool is_tchar(uint8_t c)
{
    return in_class(CLASS_TCHAR, c);
}

void body_claim(struct whit_tcb *t);                  // the request line was read
void body_length(struct whit_tcb *t);                 // Content-Length was read
void body_type_begin(struct whit_tcb *t);             // Content-Type's ':' was read
void body_type_step(struct whit_tcb *t, uint8_t c);   // STEP_TYPE
void body_fields_end(struct whit_tcb *t);             // the empty line was read

// http_chunked.c: undoes the transfer coding of octets [body->ready, len), and may move them. Returns how many octets at the
// start of `octets` the coding took up: the body lies behind them. *status: HTTP_200 or the refusal.
uint16_t transfer_run(struct body *b, uint8_t *octets, uint16_t len, uint8_t *status);

#endif
