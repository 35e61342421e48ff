// SPDX-License-Identifier: MIT
// The request parser's own contract. It is a machine of small steps that takes one octet at a time and keeps
// nothing but struct whit_tcb's request, so that a request may be cut anywhere.
#ifndef WHIT_HTTP_H
#define WHIT_HTTP_H

#include "inner.h"

enum http_step {
    STEP_START,          // before the request line; one empty line is passed over (RFC 9112 section 2.2)
    STEP_START_LF,
    STEP_METHOD,
    STEP_TARGET,         // its first octet
    STEP_SCHEME,         // absolute-form: "http://"
    STEP_AUTHORITY,
    STEP_ASTERISK,       // asterisk-form
    STEP_PATH,
    STEP_QUERY_NAME,
    STEP_QUERY_VALUE,
    STEP_QUERY_SKIP,     // a query that the resource does not take
    STEP_VERSION,        // "HTTP/1." and a digit
    STEP_LINE_LF,        // the line feed of a line
    STEP_FIELD,          // first octet of a field line
    STEP_FIELD_NAME,
    STEP_VALUE,          // a field value that matters to nobody
    STEP_HOST,
    STEP_LIST,           // a list of tokens: before one, or behind it
    STEP_TOKEN,
    STEP_PARAMETER,      // what follows a token's ';'
    STEP_TAGS,           // a list of entity tags: before one, or behind it
    STEP_TAG,            // inside the quotes
    STEP_LENGTH,
    STEP_MEDIA,          // Content-Type of a body
    STEP_END_LF,         // the line feed of the empty line
    STEP_DONE,           // from here on no octet is taken
    STEP_LINE_END,       // the request line has ended: the field lines have a limit of their own
    STEP_BODY,           // the body is read (body.c)
    STEP_STARVED,        // no room for arguments, or for a body's block
    STEP_REFUSED,        // aux: enum http_status
};

#define OCTET_BAD 0x100    // percent-encoding is wrong

bool is_tchar(uint8_t c);       // RFC 9110 section 5.6.2
uint8_t hex_value(uint8_t c);   // 0..15; 16: not a hexadecimal digit

// A step takes an octet and leaves the machine in its next step, perhaps STEP_REFUSED.
void refuse(struct whit_tcb *t, uint8_t status);
void target_step(struct whit_tcb *t, uint8_t c);      // http_target.c: STEP_TARGET .. STEP_QUERY_SKIP
void argument_name(struct whit_tcb *t, uint8_t c, bool escaped);    // http_argument.c
void argument_value(struct whit_tcb *t, uint8_t c, bool escaped);
void arguments_begin(struct whit_tcb *t);             // '?' was read
void arguments_read(struct whit_tcb *t);              // they come in a body
void arguments_end(struct whit_tcb *t);               // the target ended, or the body
void query_octet(struct whit_tcb *t, uint8_t c);      // http_target.c: of a query, or of a form
void field_begin(struct whit_tcb *t, uint8_t field);  // http_field.c: ':' was read
void field_step(struct whit_tcb *t, uint8_t c);       // STEP_HOST .. STEP_LENGTH; c is no CR
const uint8_t *host_run(const struct whit_tcb *t, const uint8_t *at, const uint8_t *end);    // octets that need no step
void field_end(struct whit_tcb *t);                   // CR was read
void fields_end(struct whit_tcb *t);                  // the empty line was read

// http_body.c: requests whose resource takes a body.
struct body *body_of(const struct whit_tcb *t);       // of the request in t, which may be rx.work; NULL: it takes none
void *body_data(const struct whit_tcb *t);            // its struct args_t or struct state_t
void body_claim(struct whit_tcb *t);                  // the request line was read
void body_length(struct whit_tcb *t);                 // Content-Length was read
void body_type_begin(struct whit_tcb *t);             // Content-Type's ':' was read
void body_type_step(struct whit_tcb *t, uint8_t c);
void body_type_end(struct whit_tcb *t);
void body_fields_end(struct whit_tcb *t);             // the empty line was read

#endif
