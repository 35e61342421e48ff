// SPDX-License-Identifier: MIT
// The shared buffer (buffer.c): blocks of connections, and at its end the reservation of the frame being received.
#ifndef WHIT_CORE_BUFFER_H
#define WHIT_CORE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "limits.h"
#include "state.h"
#include "tables.h"
#include "tcb.h"
#include "whit/app.h"
#include "whit/port.h"

enum block_kind {
    BLOCK_ARGUMENTS,    // the request's struct args_t
    BLOCK_OUTPUT,       // octets of a response that are kept (kept.c)
    BLOCK_INPUT,        // octets that were received and acknowledged, and not read yet
    BLOCK_RUN,          // state of a generator between two segments
    BLOCK_BODY,         // state of the reader of a request's body
    BLOCK_ANSWER,       // a handler's choice for its response's head (strategy.c)
    // All kinds except BLOCK_INPUT belong to one request and its response.
    BLOCK_RESPONSE_CNT = BLOCK_ANSWER + WHIT_HAS_ANSWER,
    // with WHIT_TLS: records that are not read yet; their content becomes BLOCK_INPUT
    BLOCK_SEALED = BLOCK_RESPONSE_CNT,
    BLOCK_TLS,    // ... and struct sealed
    BLOCK_KIND_CNT = BLOCK_RESPONSE_CNT + 2 * WHIT_TLS
};
// Rounds up the length of a part of a block, so that another part can follow: to fours on small devices too.
#define BUFFER_PART(len) (((len) + ((WHIT_ALIGNMENT - 1u) | 3u)) & ~((WHIT_ALIGNMENT - 1u) | 3u))

uint8_t *buffer_find(const struct whit_tcb *tcb, enum block_kind kind, uint16_t *len);
uint16_t block_len(const uint8_t *octets);    // length of a block that was found
// free octets after everything, until the next call into buffer.c
uint8_t *buffer_tail(uint16_t *room);
uint8_t *buffer_reserved(void);             // start of the octets that the frame being received has reserved
bool buffer_reserve(uint16_t more);         // takes `more` octets at the end for the frame; false: no room
bool buffer_reserve_block(uint16_t len);    // the same, such that a second block may follow it
// octets that may wait there as input: never the second half, which is for answers
uint16_t buffer_input_room(void);
// makes a block of the reservation's octets
bool buffer_keep(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);
// makes one of the tail's; NULL: no room, or a reservation
void *buffer_make(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);
void buffer_cut(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // keeps its first `len` octets
// the reservation's octets go to its end; always possible
void buffer_append(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);
void buffer_trim(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // drops its first `len` octets
// the first `len` octets of BLOCK_SEALED go to the end of BLOCK_INPUT; false: no room
bool buffer_move(const struct whit_tcb *tcb, uint16_t len);
void buffer_free(const struct whit_tcb *tcb, enum block_kind kind);
// octets of output that generators of other connections still write; cnt: number of generators
uint16_t buffer_held(const struct whit_tcb *tcb, uint16_t *cnt);
// something of another connection is kept, which does not itself wait for room
bool buffer_others(const struct whit_tcb *tcb);
void buffer_init(void);

// The reservation of the frame being received. Its octets become the blocks of a request when the checksum holds.
//
// Ends the reservation: it became blocks, or is dropped.
static inline void reservation_over(struct whit_rx *rx)
{
    rx->reserved_len = 0;
}
// it begins with neither
static inline void reservation_new(struct whit_rx *rx)
{
    rx->arguments_reserved = rx->body_reserved = false;
}
static inline void reservation_has_arguments(void)
{
    whit.rx.arguments_reserved = true;
}
static inline void reservation_has_body(void)
{
    whit.rx.body_reserved = true;
}
static inline void reservation_keeps_arguments(struct whit_rx *rx, const struct whit_tcb *tcb, uint16_t len)
{
    buffer_keep(tcb, BLOCK_ARGUMENTS, len);
    rx->arguments_reserved = false;
}
static inline void reservation_keeps_body(struct whit_rx *rx, const struct whit_tcb *tcb, uint16_t len)
{
    buffer_keep(tcb, BLOCK_BODY, len);
    rx->body_reserved = false;
}

static inline bool input_waits(const struct whit_tcb *tcb)
{
    uint16_t len;
    return KEEPS_INPUT && (buffer_find(tcb, BLOCK_INPUT, &len) != NULL ||
                           (is_tls(tcb) && buffer_find(tcb, BLOCK_SEALED, &len) != NULL));
}

// ----------------------------------------------------------------------------------------- the chunked transfer coding

// The chunked transfer coding (RFC 9112 section 7.1), of requests and of responses. Extensions and trailers are passed
// over.

#define LINE_MAX 256         // octets of a chunk's size with its extensions
#define TRAILERS_MAX 1024    // octets of all trailer fields

enum transfer {
    TRANSFER_NEW,         // nothing of it was read
    TRANSFER_TO_CLOSE,    // http_get.c: octets of a content that ends with the connection
    TRANSFER_DATA,        // octets of a content that has a length
    TRANSFER_CHUNK,       // octets of a chunk
    TRANSFER_STATUS,      // http_get.c: lines of the head
    TRANSFER_FIELDS,
    TRANSFER_CHUNK_CR,    // after a chunk
    TRANSFER_CHUNK_LF,
    TRANSFER_SIZE,    // first digit of a chunk's size
    TRANSFER_DIGITS,
    TRANSFER_BLANKS,    // before an extension, or the line's end
    TRANSFER_EXTENSION,
    TRANSFER_SIZE_LF,
    TRANSFER_TRAILER,    // first octet of a trailer's line
    TRANSFER_TRAILER_NAME,
    TRANSFER_TRAILER_LINE,
    TRANSFER_TRAILER_LF,
    TRANSFER_END_LF,
    TRANSFER_DONE,    // the octets that follow belong to the next message
    TRANSFER_WRONG,
};

// Takes an octet that belongs to no content: TRANSFER_CHUNK_CR .. TRANSFER_END_LF. Returns the step that follows. size:
// of the chunk; 0 before its first digit, and below 2^32.
uint8_t chunked_step(uint8_t step, uint8_t c, uint32_t *size);

// ---------------------------------------------------------------------------------- the block of a request with a body

// The state of a request's body while it is read. Its block in the shared buffer is taken when the request line has
// ended. The field lines write to it; it is freed when the request is answered. The slot's flags tell which of its
// fields are valid, so a segment with a wrong checksum changes nothing. The octets of the body wait as BLOCK_INPUT.
// When they have been committed, the transfer coding is undone in place (body.c). The decoded octets go to the form
// (form.c) or to the handler of parts (multipart.c).

#define BOUNDARY_MAX 70        // RFC 2046 section 5.1.1
#define FILENAME_MAX_LEN 31    // octets of a file name; the rest of a longer one is left out
// Least octets of a form that find room. Beside the data of all forms, there is room for any answer (WRITTEN_ONCE_MAX).
#define FORM_ROOM (32 + WINDOW_RESERVED / 2)
#define PART_HEAD_MAX 1024     // octets of all field lines of a part
#define TYPE_NONE 0xff         // none of the declared ones
#define SLOW_POLL TICKS(20)    // period at which a slow handler runs again

enum body_kind {
    BODY_RAW,           // one part, of the request's own content type
    BODY_FORM,          // application/x-www-form-urlencoded
    BODY_MULTIPART,     // multipart/form-data
    BODY_JSON,          // application/json, as a form
    BODY_SOAP,          // text/xml, application/soap+xml
    BODY_FORM_PARTS,    // multipart/form-data, as a form
};

struct body {
    uint32_t left;     // octets of the body, or of a chunk, that are still to come
    uint32_t room;     // chunked: octets that the body may still have
    uint32_t edge;     // sequence number after the window that was announced
    uint16_t ready;    // octets at the beginning of BLOCK_INPUT that are the body's, and plain
    uint16_t flags;    // enum request_flag of the request
    uint16_t resource;
    uint16_t progress;      // tick at which something came or was read
    uint16_t line_len;      // chunked: octets of the line, or of the trailers
    uint8_t transfer;       // enum transfer
    uint8_t kind;           // enum body_kind
    uint8_t step;           // form: enum http_step of its arguments
    uint8_t slow : 1;       // its handler waits for something else than octets
    uint8_t refused : 1;    // octets found no room since the last acknowledgment
    uint8_t repeats : 2;    // acknowledgments that are still to be repeated
    uint8_t proves : 1;     // SOAP: the message is whole, and its signature is being verified (body.c)
    union {
        struct {
            uint8_t content_type;    // index of the declared one, TYPE_NONE; SOAP: 1 for version 1.2
            union {
                uint8_t boundary_len;
                uint8_t charset;    // SOAP: enum whit_media, 0: Content-Type has none
            };
        };
        uint16_t json_high;    // JSON: first half of a pair (json.c), 0: none
    };
};
_Static_assert(sizeof(struct body) % 4 == 0, "a handler's struct args_t lies after it");

// State of a form's reader when it comes in parts, after struct body (form.c).
struct form_parts {
    uint32_t boundary;    // its hash: the lower half as Content-Type has it, all of it once a delimiter was read
    uint32_t hash;        // hash of octets that may be one
    uint16_t name;        // state of the argument's name; 0: the part has no name yet
    uint16_t kept;        // octets of a text before the possible delimiter
    uint8_t phase;
    uint8_t matched;    // octets that may be a delimiter
    bool lost;          // some of these are no value of the argument
    bool known;         // `boundary` is whole
};
#define FORM_PARTS_LEN (WHIT_HAS_FORM_PARTS ? sizeof(struct form_parts) : 0)
_Static_assert(sizeof(struct form_parts) % 4 == 0, "the same");
static inline struct form_parts *form_parts_of(struct body *b)
{
    return (struct form_parts *)(void *)(b + 1);
}

// After it, when the resource takes parts.
struct parts {
    struct whit_pt pt;    // the handler's thread
    uint16_t head_len;    // octets of the part's field lines
    uint8_t phase;        // multipart.c
    uint8_t matched;      // octets of the delimiter that were seen at last
    uint8_t failed;       // number of these that were content,
    uint8_t replayed;     // ... and how many of them were read
    uint8_t number;
    bool over;                              // the delimiter was seen to its end
    bool typed;                             // the part has a Content-Type
    uint8_t delimiter[4 + BOUNDARY_MAX];    // CR LF "--" boundary
    char filename[FILENAME_MAX_LEN + 1];
    uint8_t post_data[sizeof(void *)];    // result of a handler without a thread
};
// Length of the parts, rounded so that a struct state_t can follow both.
#define PARTS_LEN (BUFFER_PART(sizeof(struct body) + sizeof(struct parts)) - sizeof(struct body))

struct body *body_kept(const struct whit_tcb *tcb);                  // body of the slot's request; NULL: it has none
static inline bool body_takes_parts(const struct whit_post *post)    // by doPostIn, not as a form
{
    return WHIT_HAS_PARTS && (!WHIT_HAS_FORM || whit_flash_ptr(&post->form.plain) == NULL);
}
// Returns the generator of the POST in `t`, which has the accepted types; NULL: its resource takes no body.
static inline const struct whit_generator *body_generator(const struct whit_tcb *t)
{
    bool takes = t->request.method == WHIT_POST && t->request.resource != RESOURCE_NONE;
    return takes ? whit_flash_ptr(&whit_resources[t->request.resource].generator) : NULL;
}
const struct whit_post *body_post(const struct whit_tcb *t);

// `t` may be rx.pending.
struct body *body_of(const struct whit_tcb *t);                   // body of the request in t; NULL: it takes none
struct body *body_here(const struct whit_tcb *t);                 // the same of a request that takes one
bool body_is_endpoint(const struct whit_generator *generator);    // SOAP calls services there
// Returns the memory in the block after struct body: struct args_t of a form; struct state_t after struct parts; either
// of them, by `post`.
static inline void *body_arguments(struct body *b)
{
    return (uint8_t *)b + sizeof(struct body) + FORM_PARTS_LEN;
}
static inline void *body_state(struct body *b)
{
    return (uint8_t *)b + sizeof(struct body) + PARTS_LEN;
}
static inline void *body_data(const struct whit_post *post, struct body *b)
{
    return body_takes_parts(post) ? body_state(b) : body_arguments(b);
}
// length of the BLOCK_BODY that a request to the generator reserves
uint16_t body_block_len(const struct whit_generator *generator);
bool body_pending(const struct whit_tcb *tcb);       // a body is read, waits for "100 Continue", or for its answer
bool body_proves(const struct whit_tcb *tcb);        // its message's signature is being verified
bool connection_ends(const struct whit_tcb *tcb);    // a FIN follows this response

static inline bool is_form(const struct body *b)
{
    return WHIT_HAS_FORM &&
           (WHIT_HAS_SOAP_ALONE || b->kind == BODY_FORM || (WHIT_HAS_JSON && b->kind == BODY_JSON) ||
            (WHIT_HAS_SOAP && b->kind == BODY_SOAP) || (WHIT_HAS_FORM_PARTS && b->kind == BODY_FORM_PARTS));
}

#endif
