// SPDX-License-Identifier: MIT
// Responses, by position: what the floors above may ask of them.
#ifndef WHIT_CONTENT_CONTENT_H
#define WHIT_CONTENT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/position.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"
#include "whit/port.h"

// How the octets of a content are found (DESIGN.md section 1).
enum strategy { STRATEGY_STATIC /* S0 */, STRATEGY_STORED /* the same, in persistent memory */, STRATEGY_HEAD /* none: HEAD of what is not plain */, STRATEGY_KEPT /* S1, S3 */, STRATEGY_REPLAY /* S2 */, STRATEGY_RERUN /* S4 */ };
enum strategy generated_strategy(const struct whit_tcb *tcb);
static inline enum strategy content_strategy(const struct whit_tcb *tcb)
{
    return WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? generated_strategy(tcb) : STRATEGY_STATIC;
}

// Positions in a response, of which some come to stand still while octets of a stream go by (response_advance()).
struct extent {
    whit_position len;        // after the last octet that is known now, without FIN
    whit_position content;    // where content begins, with what frames it when it is generated; 0: an error
    bool ended;          // nothing comes after `len`
    bool more;           // more can be generated after `len` at once
    uint8_t strategy;    // enum strategy
    uint8_t framing;     // enum framing of what is generated (strategies.h)
};
static inline bool extent_ended(const struct extent *e) { return !(WHIT_HAS_THREADS || WHIT_HAS_RERUN) || e->ended; }
static inline enum strategy extent_strategy(const struct extent *e)
{
    return WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? (enum strategy)e->strategy : STRATEGY_STATIC;
}
static inline bool extent_more(const struct extent *e) { return (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN) && e->more; }

uint8_t response_status(const struct whit_tcb *tcb);            // enum http_status
void response_extent(const struct whit_tcb *tcb, struct extent *e);
enum walked {
    WALKED,
    WALK_NOTHING,    // of the content can be sent now
    WALK_CHANGED,    // the generator says something else now
    WALK_AGAIN,      // from the beginning, with a new walk
    WALK_MAKE,       // replay_make(), and then, if that says WALKED, content_walk()
};
// Walks over what there is room for and is there.
enum walked response_walk(struct walk *w, const struct whit_tcb *tcb, const struct extent *e);
// The rest of the first pass after WALK_MAKE. A generator that runs below the walk would have all of it below itself on the stack.
enum walked replay_make(struct walk *w, const struct whit_tcb *tcb);
enum walked content_walk(struct walk *w, const struct whit_tcb *tcb, enum strategy strategy);
void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only);
void response_fail(struct whit_tcb *tcb, uint8_t status);       // nothing of it has left: an error takes its place
void response_advance(struct whit_tcb *tcb, uint16_t acked);    // so many octets more are acknowledged
void response_forget(const struct whit_tcb *tcb);               // gives back what was kept for it
// A bit of a slot has two meanings: while a request comes in, that the peer's window is below its MSS; then, of its response, that it is
// the connection's last.
static inline bool window_is_small(const struct whit_tcb *tcb) { return tcb->close; }
static inline void window_seems(struct whit_tcb *tcb, bool small) { tcb->close = small; }
static inline void response_is_last(struct whit_tcb *tcb, bool last) { tcb->close = last; }
bool responses_move(uint16_t ticks);                            // something generated was acknowledged so lately
bool response_waits(const struct whit_tcb *tcb);                // nothing can be sent until its generator goes on

// What the compiler made of a file: lines of its head, and its content, with the prefix sums of its chunks.
struct file {
    const uint8_t *octets;
    const uint16_t *sums;
    uint32_t len;
};
bool response_file(const struct whit_tcb *tcb, struct file *file);    // false: the response does not end with all of one

// json_error.c, where HAS_JSON_ERRORS: a status from JSON_STATUS on stands for HTTP_400. What is above JSON_STATUS is enum whit_wrong and
// the number of the argument.
#define JSON_STATUS 0x40
// True if JSON says why. The response must be a KIND_ERROR.
static inline bool is_json_error(const struct whit_tcb *tcb)
{
    return HAS_JSON_ERRORS && tcb->response.resource >= JSON_STATUS && (!WHIT_TLS || tcb->response.resource <= UINT8_MAX);
}
void json_error_walk(struct walk *w, const struct whit_tcb *tcb);    // over what follows what is said of the connection

// sealed_redirect.c: where plain HTTP only says that there is HTTPS.
bool redirect_keeps(const struct whit_tcb *tcb);                  // what comes of the request is kept: its Host is not there yet
void redirect_walk(struct walk *w, const struct whit_tcb *tcb);   // over what follows "https://", with the line's end

// Begins the response of the request's generator. enum http_status, or HTTP_STATUS_CNT: no room now.
uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator);

// The service that the generator is; NULL: it is none.
static inline const struct whit_service *service_of(const struct whit_generator *generator)
{
#if WHIT_HAS_SERVICES
    return generator != NULL ? whit_flash_ptr(&generator->service) : NULL;
#else
    (void)generator;
    return NULL;
#endif
}

// The number of its namespace.
static inline uint16_t service_uri(const struct whit_generator *generator)
{
#if WHIT_HAS_SOAP
    return whit_flash_u16(&service_of(generator)->uri);
#else
    (void)generator;
    return 0;
#endif
}

// What its callers prove, enum whit_security.
static inline uint8_t service_security(const struct whit_generator *generator)
{
#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE
    return whit_flash_u8(&service_of(generator)->security);
#else
    (void)generator;
    return WHIT_SECURITY_NONE;
#endif
}

// What takes an argument's octets, and the function of the author's that gives a value's; NULL where there are none.
static inline const struct whit_taker *service_taker(const struct whit_service *service, const struct whit_argument *argument)
{
#if WHIT_HAS_TAKES
    return (const struct whit_taker *)whit_flash_ptr(&service->takes) + (whit_flash_u16(&argument->words) >> 8);
#else
    (void)service;
    (void)argument;
    return NULL;
#endif
}

static inline whit_give *service_give(const struct whit_service *service, uint8_t place)
{
#if WHIT_HAS_GIVES
    whit_give *const *gives = whit_flash_ptr(&service->gives);
    return whit_flash_ptr(&gives[place]);
#else
    (void)service;
    (void)place;
    return NULL;
#endif
}

// How the function that runs next is asked; the representations of a service follow one another in this order.
enum service_as { AS_JSON, AS_LINES /* of text */, AS_SOAP_11, AS_SOAP_12 };
void service_open(enum service_as as);
void service_signs(const struct whit_tcb *tcb);    // then: its answer is signed (service_signed.c), by what is kept behind its body
#define REPLY_KEPT (WHIT_HAS_RSA ? 672 : 480)    // octets of that

// Of a request: its resource, or, of stored content, the bank that holds the current version; RESOURCE_NONE: there is none.
uint16_t content_stored_select(const struct whit_tcb *tcb);
bool content_is_stored(const struct whit_tcb *tcb);             // of a response
uint32_t content_stored_etag(const struct whit_resource *r);    // of the current version; 0: there is none

uint16_t kept_last_write(const struct whit_tcb *tcb);    // of a thread: where what it wrote last begins, in what is kept
#define KEPT_PLAIN 0xffff
uint8_t kept_more(const struct whit_tcb *tcb);    // lets the thread write on; HTTP_200, or how it failed
bool kept_later(const struct whit_tcb *tcb);      // nothing of the response may leave yet (answer_later())
bool kept_rests(const struct whit_tcb *tcb);      // ... and its handler was asked just now: true once
uint16_t rerun_new_len(const struct whit_tcb *tcb, bool *last);    // octets on the wire of the chunk that was made
void rerun_sent(const struct whit_tcb *tcb);    // it is on its way

#endif
