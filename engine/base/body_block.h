// SPDX-License-Identifier: MIT
// How far a request's body is read. Its block in the shared buffer is taken when the request line has ended, written
// to by the field lines, and given back when the request is answered. What field lines write there counts only as far
// as the slot's flags say so, so that a segment that proves to be spoilt leaves nothing.
//
// The octets of the body wait as BLOCK_INPUT. When they have been committed, the transfer coding is undone in place
// (http_chunked.c), and what is ready goes to the form (http_form.c) or to the handler of parts (http_multipart.c).
#ifndef WHIT_BASE_BODY_BLOCK_H
#define WHIT_BASE_BODY_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "chunked.h"
#include "limits.h"
#include "tables.h"
#include "tcb.h"
#include "whit/app.h"

#define BOUNDARY_MAX 70        // RFC 2046 section 5.1.1
#define FILENAME_MAX_LEN 31    // octets of a file name; the rest of a longer one is left out
// Octets of a form that find room, at least. Beside what all forms keep, there is room for the answer of any (WRITTEN_ONCE_MAX).
#define FORM_ROOM (32 + WINDOW_RESERVED / 2)
#define PART_HEAD_MAX 1024     // octets of all field lines of a part
#define TYPE_NONE 0xff         // none of the declared ones
#define SLOW_POLL TICKS(20)    // a slow handler is asked so often

enum body_kind {
    BODY_RAW,                // one part, of the request's own content type
    BODY_FORM,               // application/x-www-form-urlencoded
    BODY_MULTIPART,          // multipart/form-data
    BODY_JSON,               // application/json, as a form
    BODY_SOAP,               // text/xml, application/soap+xml
    BODY_FORM_PARTS,         // multipart/form-data, as a form
};

struct body {
    uint32_t left;           // octets of the body, or of a chunk, that are still to come
    uint32_t room;           // chunked: octets that the body may still have
    uint32_t edge;           // sequence number after the window that was announced
    uint16_t ready;          // octets at the beginning of BLOCK_INPUT that are the body's, and plain
    uint16_t flags;          // enum request_flag of the request
    uint16_t resource;
    uint16_t progress;       // tick at which something came or was read
    uint16_t line_len;       // chunked: octets of the line, or of the trailers
    uint8_t transfer;        // enum transfer
    uint8_t kind;            // enum body_kind
    uint8_t step;            // form: enum http_step of its arguments
    uint8_t slow : 1;        // its handler waits for something else than octets
    uint8_t refused : 1;     // octets found no room since it was told last
    uint8_t repeats : 2;     // acknowledgments that are still to be repeated
    uint8_t proves : 1;      // SOAP: the message is whole, and its signature is being verified (body_proof.c)
    union {
        struct {
            uint8_t content_type;    // index of the declared one, TYPE_NONE; SOAP: 1 for version 1.2
            union {
                uint8_t boundary_len;
                uint8_t charset;     // SOAP: enum whit_media, 0: Content-Type has none
            };
        };
        uint16_t json_high;  // JSON: first half of a pair (http_json.c), 0: none
    };
};
_Static_assert(sizeof(struct body) % 4 == 0, "a handler's struct args_t lies after it");

// After it, of a form: where its reader stands when it comes in parts (http_form_parts.c).
struct form_parts {
    uint32_t boundary;       // its hash: the lower half as Content-Type has it, all of it once a delimiter was read
    uint32_t hash;           // of octets that may be one
    uint16_t name;           // state of the argument's name; 0: the part has no name yet
    uint16_t kept;           // octets of a text before those that may be a delimiter
    uint8_t phase;
    uint8_t matched;         // octets that may be a delimiter
    bool lost;               // some of these are no value of the argument
    bool known;              // `boundary` is whole
};
#define FORM_PARTS_LEN (WHIT_HAS_FORM_PARTS ? sizeof(struct form_parts) : 0)
_Static_assert(sizeof(struct form_parts) % 4 == 0, "the same");
static inline struct form_parts *form_parts_of(struct body *b) { return (struct form_parts *)(void *)(b + 1); }

// After it, when the resource takes parts.
struct parts {
    struct whit_pt pt;       // of the handler
    uint16_t head_len;       // octets of the part's field lines
    uint8_t phase;           // http_multipart.c
    uint8_t matched;         // octets of the delimiter that were seen at last
    uint8_t failed;          // of these, how many proved to be content,
    uint8_t replayed;        // ... and how many of them were read
    uint8_t number;
    bool over;               // the delimiter was seen to its end
    bool typed;              // the part has a Content-Type
    uint8_t delimiter[4 + BOUNDARY_MAX];    // CR LF "--" boundary
    char filename[FILENAME_MAX_LEN + 1];
    uint8_t post_data[sizeof(void *)];      // of a handler without a thread
};
// Octets of it such that a struct state_t may lie behind both.
#define PARTS_LEN (BUFFER_PART(sizeof(struct body) + sizeof(struct parts)) - sizeof(struct body))

struct body *body_kept(const struct whit_tcb *tcb);    // of the slot's request; NULL: it has none
bool body_takes_parts(const struct whit_post *post);   // by doPostIn, not as a form
// NULL: the resource of the request in `t` takes no body.
const struct whit_post *body_post(const struct whit_tcb *t);

struct body *body_of(const struct whit_tcb *t);       // of the request in t, which may be rx.pending; NULL: it takes none
bool body_is_endpoint(const struct whit_tcb *t);      // SOAP calls services there
void *body_data(const struct whit_tcb *t);            // its struct args_t or struct state_t
uint16_t body_block_len(const struct whit_tcb *t);     // of the BLOCK_BODY that the request in t reserved
bool body_pending(const struct whit_tcb *tcb);         // a body is read, waits for "100 Continue", or for its answer
bool body_proves(const struct whit_tcb *tcb);          // its message's signature is being verified
bool connection_ends(const struct whit_tcb *tcb);      // a FIN follows this response

static inline bool is_form(const struct body *b)
{
    return WHIT_HAS_FORM && (WHIT_HAS_SOAP_ALONE || b->kind == BODY_FORM || (WHIT_HAS_JSON && b->kind == BODY_JSON) || (WHIT_HAS_SOAP && b->kind == BODY_SOAP) ||
        (WHIT_HAS_FORM_PARTS && b->kind == BODY_FORM_PARTS));
}

#endif
