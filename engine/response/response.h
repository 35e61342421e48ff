// SPDX-License-Identifier: MIT
// Responses, by position: the interface for the layers above.
#ifndef WHIT_RESPONSE_RESPONSE_H
#define WHIT_RESPONSE_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../tls/tls.h"
#include "whit/port.h"
#include "whit/public.h"

// Ways to find the octets of a content (DESIGN.md section 1).
enum strategy {
    STRATEGY_STATIC /* S0 */,
    STRATEGY_STORED /* the same, in persistent memory */,
    STRATEGY_HEAD /* no content: HEAD of other than plain content */,
    STRATEGY_KEPT /* S1, S3 */,
    STRATEGY_REPLAY /* S2 */,
    STRATEGY_RERUN /* S4 */
};

// The kept part of a response's output (kept.c).
struct kept {
    uint8_t *octets;    // a block, where a thread writes all of its room; NULL: nothing is kept
#if WHIT_HAS_PERSISTENT_THREADS
    const struct whit_generator *generator;
    struct thread *thread;    // thread that writes it; NULL: it is whole
#endif
};

static inline struct thread *kept_thread(const struct kept *kept)
{
#if WHIT_HAS_PERSISTENT_THREADS
    return kept->thread;
#else
    (void)kept;
    return NULL;
#endif
}

static inline void kept_by(struct kept *kept, const struct whit_generator *generator)
{
#if WHIT_HAS_PERSISTENT_THREADS
    kept->generator = generator;
#else
    (void)kept;
    (void)generator;
#endif
}

static inline const struct whit_generator *kept_generator(const struct kept *kept)
{
#if WHIT_HAS_PERSISTENT_THREADS
    return kept->generator;
#else
    (void)kept;
    return NULL;
#endif
}

// kept: the kept part of the response, for that strategy.
enum strategy generated_strategy(const struct whit_tcb *tcb, struct kept *kept);
static inline enum strategy content_strategy(const struct whit_tcb *tcb)
{
    struct kept kept;
    return WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? generated_strategy(tcb, &kept) : STRATEGY_STATIC;
}

// Positions in a response. Some stay constant while octets of a stream are acknowledged (response_advance()). It is
// valid until an acknowledgment or a run of a generator.
struct extent {
    whit_position len;        // after the last octet that is known now, without FIN
    whit_position content;    // begin of the content, with its framing if it is generated; 0: an error
    bool ended;               // nothing comes after `len`, but for a FIN
    bool more;                // more can be generated after `len` at once
    uint8_t strategy;         // enum strategy
    uint8_t framing;          // enum framing of generated content (internal.h)
#if WHIT_HAS_GENERATORS
    struct kept kept;    // output of STRATEGY_KEPT
#endif
};
#if WHIT_HAS_GENERATORS
static inline struct kept *extent_kept(struct extent *e)
{
    return &e->kept;
}
static inline const struct kept *kept_of_extent(const struct extent *e)
{
    return &e->kept;
}
#else
static inline struct kept *extent_kept(struct extent *e)
{
    (void)e;
    return NULL;
}
static inline const struct kept *kept_of_extent(const struct extent *e)
{
    (void)e;
    return NULL;
}
#endif
static inline bool extent_ended(const struct extent *e)
{
    return !(WHIT_HAS_THREADS || WHIT_HAS_RERUN) || e->ended;
}
static inline bool extent_fin(const struct extent *e, const struct whit_tcb *tcb)
{
    return extent_ended(e) && connection_ends(tcb);
}
static inline enum strategy extent_strategy(const struct extent *e)
{
    return WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? (enum strategy)e->strategy : STRATEGY_STATIC;
}
static inline bool extent_more(const struct extent *e)
{
    return (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN) && e->more;
}

void response_extent(const struct whit_tcb *tcb, struct extent *e);      // the two that follow
void response_strategy(const struct whit_tcb *tcb, struct extent *e);    // sets `strategy` and `kept`,
void response_measure(const struct whit_tcb *tcb, struct extent *e);     // ... and by them all else
enum walked {
    WALKED,
    WALK_NOTHING,    // no content can be sent now
    WALK_CHANGED,    // the generator's output differs now
    WALK_AGAIN,      // from the beginning, with a new walk
    WALK_MAKE,       // replay_make(), and then, if that returns WALKED, content_walk()
};
// Walks over the octets that are ready and fit.
enum walked response_walk(struct walk *w, const struct whit_tcb *tcb, const struct extent *e);
// The rest of the first pass after WALK_MAKE. A generator that runs below the walk would have all of it below itself on
// the stack.
enum walked replay_make(struct walk *w, const struct whit_tcb *tcb);
enum walked content_walk(struct walk *w, const struct whit_tcb *tcb, const struct extent *e);
void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource, bool head_only);
void response_fail(struct whit_tcb *tcb, uint8_t status);    // nothing of it has left: an error takes its place
// Advances by `acked` octets. *e follows, except for `more`; without generators it need not be measured.
void response_advance(struct whit_tcb *tcb, uint16_t acked, struct extent *e);
void response_forget(const struct whit_tcb *tcb);    // frees its blocks
// A bit of a slot with two meanings. While a request comes in: the peer's window is below its MSS. In a response: it is
// the connection's last.
static inline bool window_is_small(const struct whit_tcb *tcb)
{
    return tcb->close;
}
static inline void window_seems(struct whit_tcb *tcb, bool small)
{
    tcb->close = small;
}
static inline void response_is_last(struct whit_tcb *tcb, bool last)
{
    tcb->close = last;
}
bool responses_move(uint16_t ticks);                // something generated was acknowledged so lately
bool response_waits(const struct whit_tcb *tcb);    // nothing can be sent until its generator continues;
bool response_waits_at(const struct whit_tcb *tcb, const struct extent *e);    // ... as the extent shows

// A file as the compiler made it: lines of its head, and its content, with the prefix sums of its chunks.
struct file {
    const uint8_t *octets;
    const uint16_t *sums;
    uint32_t len;
};
// false: the response does not end with all of one
bool response_file(const struct whit_tcb *tcb, struct file *file);

// response_head.c, with HAS_JSON_ERRORS: a status from JSON_STATUS on replaces HTTP_400. The bits above JSON_STATUS are
// enum whit_wrong and the number of the argument.
#define JSON_STATUS 0x40
// True if the reason is sent in JSON. The response must be a KIND_ERROR.
static inline bool is_json_error(const struct whit_tcb *tcb)
{
    return HAS_JSON_ERRORS && tcb->response.resource >= JSON_STATUS &&
           (!WHIT_TLS || tcb->response.resource <= UINT8_MAX);
}
void json_error_walk(struct walk *w, const struct whit_tcb *tcb);    // over the text after the connection's field

// Returns enum http_status.
CALLED uint8_t response_status(const struct whit_tcb *tcb)
{
    if (tcb->response.kind == KIND_ERROR)
        return is_json_error(tcb) ? HTTP_400 : (uint8_t)tcb->response.resource;
    return WHIT_HAS_ETAGS && tcb->response.kind == KIND_NOT_MODIFIED ? HTTP_304 : HTTP_200;
}

// stream_tls.c: redirection of plain HTTP to HTTPS.
// True if the request's octets are kept: its Host has not come yet.
bool redirect_keeps(const struct whit_tcb *tcb);
// over the octets after "https://", with the line's end
void redirect_walk(struct walk *w, const struct whit_tcb *tcb);

// Begins the response of the request's generator. enum http_status, or HTTP_STATUS_CNT: no room now.
uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator);

// Returns the service of the generator; NULL: it is not a service.
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

// Returns enum whit_security that callers must prove.
static inline uint8_t service_security(const struct whit_generator *generator)
{
#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE
    return whit_flash_u8(&service_of(generator)->security);
#else
    (void)generator;
    return WHIT_SECURITY_NONE;
#endif
}

// Returns the function that takes an argument's octets, or the author's function that gives a value's; NULL: no such
// function.
static inline const struct whit_taker *service_taker(const struct whit_service *service,
                                                     const struct whit_argument *argument)
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

// Ways to call the function that runs next; the representations of a service follow one another in this order.
enum service_as { AS_JSON, AS_LINES /* lines of text */, AS_SOAP_11, AS_SOAP_12 };
void service_open(enum service_as as);
// The answer of the next function is signed (service_signed.c), with the octets behind its body.
void service_signs(const struct whit_tcb *tcb);
#define REPLY_KEPT (WHIT_HAS_RSA ? 672 : 480)    // octets of that

// Returns the resource of a request, or the bank with the current version of stored content; RESOURCE_NONE: no version.
uint16_t content_stored_select(const struct whit_tcb *tcb);
bool content_is_stored(const struct whit_tcb *tcb);             // for a response
uint32_t content_stored_etag(const struct whit_resource *r);    // tag of the current version; 0: no version

uint16_t kept_last_write(const struct kept *kept);    // thread: begin of its last write in the kept octets
#define KEPT_PLAIN 0xffff
// lets the thread write on; HTTP_200, or how it failed
uint8_t kept_more(const struct whit_tcb *tcb, struct kept *kept);
bool kept_later(const struct kept *kept);    // nothing of the response may leave yet (answer_later())
void output_find(const struct whit_tcb *tcb, struct kept *kept);    // after blocks have moved
bool kept_rests(const struct whit_tcb *tcb);                        // ... and its handler ran just now: true once
uint16_t rerun_new_len(const struct whit_tcb *tcb, bool *last);     // octets on the wire of the chunk that was made
void rerun_sent(const struct whit_tcb *tcb);                        // it is on its way

// ------------------------------------------------------------------------------------------------ what handlers write

// Output of handlers (out.c).

#if WHIT_HAS_REPLIES
#include "whit/crypto.h"
#endif

// A hash of a generator's output. A record number under TLS must not be used for two texts (invariant 10), so there it
// is a keyed hash: two polynomials modulo 2^31 - 1.
#if WHIT_TLS
typedef uint64_t whit_said __attribute__((aligned(4)));    // aligned for blocks of the shared buffer
#else
typedef uint16_t whit_said;
#endif
void out_init(void);    // with WHIT_TLS: takes its key

// Target of out_*(): octets [from, from + room) of the generator's output go to `to`, the others are counted.
struct whit_out {
    uint8_t *to;
    whit_position from;
    whit_position len;    // octets written so far in all, at most the largest number
    uint16_t room;
    whit_said hash;    // hash of all of them: tells whether a generator writes the same again
    uint16_t limit;    // a protothread waits before it would write more than this
    bool kept;         // it writes once: the hash is not needed
};
extern struct whit_out *whit_out;    // output of the generator that runs
#if WHIT_HAS_REPLIES
extern struct whit_sha256 *out_hashed;    // all output is hashed and dropped; NULL: it is not
#endif

uint16_t out_room_left(void);    // octets that a protothread may write before it must wait

// ------------------------------------------------------------------------------------------------ the request log

// The request log: one line for each request, with the reason of a refusal. The build chooses it (WHIT_HAS_LOG); an
// image without it has none of this. The log of a segment is noted in `pending`, and counts only when its checksum
// holds.

// Reasons for which a request was refused, or its response cut off: the texts are in log.c, in this order.
enum log_why {
    WHY_NONE,
    WHY_LINE,
    WHY_TARGET,
    WHY_ABSOLUTE,
    WHY_FIELD,
    WHY_HOST,
    WHY_FRAMING,
    WHY_PARTIAL,
    WHY_VALUE,
    WHY_TWICE,
    WHY_MISSING,    // `number`: index of the argument
    WHY_FORM,
    WHY_PART,
    WHY_BOUNDARY,
    WHY_CHUNK,
    WHY_BODY_PARTIAL,
    WHY_PATH,
    WHY_EMPTY,
    WHY_METHOD,
    WHY_METHODS_GET,
    WHY_METHODS_POST,
    WHY_CODING,
    WHY_VERSION,
    WHY_MATCH,
    WHY_TARGET_MAX,
    WHY_FIELDS_MAX,
    WHY_UNWANTED,
    WHY_BODY_MAX,
    WHY_WHOLE_MAX,
    WHY_TYPE,
    WHY_CODED,
    WHY_TIMEOUT,
    WHY_BODY_TIMEOUT,
    WHY_ROOM,
    WHY_RETURNED,
    WHY_UNAVAILABLE,
    WHY_WROTE,
    WHY_LONG,    // `number`: octets that were written
    WHY_CHANGED,
    WHY_RESET,
    WHY_GIVEN_UP,
    WHY_EVICTED,
    WHY_REWRITTEN,
    WHY_CHOSEN,
    WHY_JSON,    // `number`: fields that may be
    WHY_FILE,
    WHY_CHARSET,
    WHY_CNT
};

void log_request(const struct whit_tcb *t);    // its next request begins
void log_load(const struct whit_tcb *tcb);     // rx.pending is a copy of this slot
void log_keep(const struct whit_tcb *tcb);     // rx.pending takes effect in this slot
// Counts `len` octets; the parser took `taken` of them.
void log_parsed(const struct whit_tcb *t, const uint8_t *octets, uint16_t taken, uint16_t len);
// Stores the first reason of a request; later ones are ignored. `name` is the handler that is the cause; `number`,
// `limit` are octets, seconds or an index.
void log_why_all(const struct whit_tcb *t, enum log_why why, enum whit_name name, uint32_t number, uint32_t limit);
static inline void log_why(const struct whit_tcb *t, enum log_why why)
{
    log_why_all(t, why, WHIT_NAME_NONE, 0, 0);
}
static inline void log_why_name(const struct whit_tcb *t, enum log_why why, enum whit_name name)
{
    log_why_all(t, why, name, 0, 0);
}
static inline void log_why_number(const struct whit_tcb *t, enum log_why why, uint32_t number)
{
    log_why_all(t, why, WHIT_NAME_NONE, number, 0);
}
// Reason for which a handler returns PT_UNAVAILABLE; # is the number; NULL: no reason given.
WHIT_PUBLIC void log_unavailable(const char *flash, uint32_t number);
// log_line.c
void log_begun(const struct whit_tcb *tcb);    // its response begins: a refusal is logged now
void log_acked(const struct whit_tcb *tcb, uint16_t acked);
void log_ended(const struct whit_tcb *tcb);    // its response ended: a success is logged now

void log_sealed(const struct whit_tcb *tcb);    // log_line.c: ... or output of TLS, an alert for instance

bool log_says_json(const struct whit_tcb *tcb);    // log.c: this client gets the reason of an error in JSON
// log_line.c: the octets of an error's response after the status line, and perhaps "Connection: close".
uint16_t page_len(const struct whit_tcb *tcb);
void page_walk(struct walk *w, const struct whit_tcb *tcb);

// ------------------------------------------------------------------------------------------------ of the files log*.c

#define LOG_LINE_MAX (WHIT_HAS_PAGES ? 256 : 64)            // octets of a request line that are kept
#define LOG_FIELD_MAX (WHIT_HAS_PAGES ? 96 : 32)            // octets of a field line
#define LOG_OUT_MAX (LOG_LINE_MAX + LOG_FIELD_MAX + 160)    // octets of a line of the log
struct log_entry {
    const char *more;    // text of WHY_UNAVAILABLE, in flash
    uint32_t number, limit;
    uint32_t acked;    // octets of the response
    uint16_t resource;
    uint16_t line_len;    // octets of the request line; more than LOG_LINE_MAX: it was longer
    uint8_t field_len;
    uint8_t why;     // enum log_why
    uint8_t name;    // enum whit_name
    bool line_ended;
    bool shown;    // the line that was refused was noted to its end
#if WHIT_HAS_PAGES
    bool takes_json, takes_html, sends_json;
#endif
    uint8_t line[LOG_LINE_MAX], field[LOG_FIELD_MAX];
};
struct log_writer {
    char *to;
    uint16_t room, len;
    bool html;    // '<', '&' and quotes are escaped
    bool json;    // quotes and backslashes are
};
struct log_entry *log_entry(const struct whit_tcb *tcb);
void log_client(struct log_entry *e, const uint8_t *octets, uint16_t len);    // log.c: lines of a head
void log_put(struct log_writer *w, char c);
void log_flash(struct log_writer *w, const char *text);
void log_number(struct log_writer *w, uint32_t number);
void log_request_line(struct log_writer *w, const struct log_entry *e);    // method and target
void log_reason(struct log_writer *w, const struct log_entry *e);

// ------------------------------------------------------------------------------------------------ responses under TLS

// Responses under TLS: records, which are functions of their position too. Positions of such a connection count octets
// on the wire.

// State of a thread's output: chunks that are kept as records.
struct kept_sealed {
    uint32_t cnt;
    // octets of the first one, which is sealed when the number of records of the head is known; 0: sealed, or absent
    uint16_t first_len;
};

// BLOCK_TLS. When the handshake is over, the octets behind tls.kept are cut off.
struct sealed {
#if WHIT_HTTPS_EARLY
    // octets of the handshake's flight that begin the answer to early data; 0: not an answer to early data
    uint16_t flight_len;
    uint16_t window;    // last window of the peer while its hello came in
#endif
    struct tls tls;
    struct tls_partial in;    // the handshake's record. Records with content wait for all octets, in BLOCK_SEALED
};
#define SEALED_CUT (offsetof(struct sealed, tls) + offsetof(struct tls, flight))    // its octets after the handshake
struct sealed *sealed_of(const struct whit_tcb *tcb);

#if WHIT_HTTPS_EARLY
static inline uint16_t sealed_flight(const struct sealed *s)
{
    return s->flight_len;
}
static inline void sealed_set_flight(struct sealed *s, uint16_t len)
{
    s->flight_len = len;
}
// its request waits for the client's Finished: it may be a replay
bool sealed_defers(const struct whit_tcb *tcb);
#else
static inline uint16_t sealed_flight(const struct sealed *s)
{
    (void)s;
    return 0;
}
static inline void sealed_set_flight(struct sealed *s, uint16_t len)
{
    (void)s;
    (void)len;
}
static inline bool sealed_defers(const struct whit_tcb *tcb)
{
    (void)tcb;
    return false;
}
#endif

// stream_tls.c: where bodies are read. Other requests hardly have records of several segments.
// octets of a record that finds room. A longer one is verified, and refused
#define SEALED_RECORD_MAX (INPUT_LEN - sizeof(struct sealed) - 64)
// octets of the current frame that find room: up to the end of a header, or of a record
uint16_t sealed_room(void);
bool sealed_finds_room(const struct whit_tcb *tcb);    // octets that come next do
void sealed_took(const struct whit_tcb *tcb);          // octets did, and are in BLOCK_SEALED

bool sealed_own(const struct whit_tcb *tcb);    // the response is TLS's own: a flight, an alert
void sealed_begin_own(struct whit_tcb *tcb);
void sealed_measure(const struct whit_tcb *tcb, struct extent *e);    // response_measure() of a connection under TLS
// Seals the content at `position`: `len` octets, which are valid until the next call.
enum walked sealed_make(const struct whit_tcb *tcb, whit_position position, const uint8_t **octets, uint16_t *len);
uint16_t sealed_chunk_max(const struct whit_tcb *tcb);    // octets of a chunk that is kept sealed
// Seals it where it is kept; head_len 0: when the head is known, by sealed_first().
void sealed_chunk(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record,
                  uint16_t len);
void sealed_first(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record);
uint16_t sealed_record_len(const struct whit_tcb *tcb);    // content of each record, of a connection that begins
// close_notify, after which nothing is sealed
uint16_t sealed_last(const struct whit_tcb *tcb, const uint8_t **octets);
void sealed_over(struct whit_tcb *tcb);    // all of a response was acknowledged

#endif
