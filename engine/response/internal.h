// SPDX-License-Identifier: MIT
// For the files of this layer only: fixed octets of heads, strategies, services.
// The fixed octets of heads, with their sums.
#ifndef WHIT_RESPONSE_INTERNAL_H
#define WHIT_RESPONSE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "response.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "whit/port.h"

// The part of a status line after the version.
#define CODE_LEN (WHIT_HAS_PAGES ? 37 : 6)    // octets at most
struct code {
    uint8_t octets[CODE_LEN];
    uint16_t sum;
#if WHIT_HAS_PAGES
    uint8_t len;
#endif
};
extern const struct code status_codes[];    // by enum http_status
static inline uint8_t code_len(uint8_t status)
{
#if WHIT_HAS_PAGES
    return whit_flash_u8(&status_codes[status].len);
#else
    (void)status;
    return CODE_LEN;
#endif
}

struct text {
    const uint8_t *octets;
    uint16_t sum;
    uint8_t len;
};
#define VERSION_LEN 9
#define CLOSE_LEN 19
#define EMPTY_LEN 21
#define KEEP_ALIVE_LEN (sizeof WHIT_KEEP_ALIVE_LINES - 1)
extern const struct text text_version, text_close, text_keep_alive, text_empty, text_chunked, text_blank, text_location;
extern const struct text text_allow_get, text_allow_post;    // instead of text_empty, of HTTP_405 and those after it

// ------------------------------------------------------------------------------------------------ strategies

// Ways to find the octets of a content, one file for each strategy.

// Ways to mark the end of a generated content (RFC 9112 section 6.3).
enum framing { FRAMING_LENGTH, FRAMING_CHUNKED, FRAMING_CLOSE };

void text_extent(const struct whit_tcb *tcb, struct extent *e);     // response_extent() without the additions of TLS,
void text_measure(const struct whit_tcb *tcb, struct extent *e);    // ... and response_measure()

// One piece of a response in flash.
struct piece {
    const uint8_t *octets;
    const uint16_t *sums;    // sums of its chunks (tables.h); NULL: none, it is sent whole
    whit_position len;
    uint16_t sum;    // sum of all of it
    // stored content: address of its sums in persistent memory, where its octets are too; 0: in flash
    uint16_t stored_sums;
};
void static_walk(struct walk *w, const struct piece *p);    // if the segment ends in it, w->limit is 0 then

// response_head.c: this response's part of the compiled octets of r
void response_piece(const struct whit_tcb *tcb, const struct whit_resource *r, struct piece *p);
bool response_has_page(const struct whit_tcb *tcb);    // it is an error with a page (log_line.c)
// walks over the octets before the generated ones
void response_head_walk(struct walk *w, const struct whit_tcb *tcb, enum framing framing);
whit_position response_head_len(const struct whit_tcb *tcb, enum framing framing);
enum framing content_framing(const struct whit_tcb *tcb, const struct extent *e);

const struct whit_generator *content_generator(const struct whit_tcb *tcb);    // generator of the response
struct args_t *content_args(const struct whit_tcb *tcb);
// its initGet handler lets the request pass
bool run_init_get(const struct whit_tcb *tcb, const struct whit_generator *generator);

// strategy.c, with WHIT_HAS_ANSWER: the handlers' choice for the response's head.
struct whit_answer {
    uint8_t status;                        // 1 + a text of whit_answer_texts; 0: 200
    uint8_t fields[WHIT_ANSWER_FIELDS];    // the same; 0: no more
};
void answer_status_else(uint8_t text);            // chooses it where a handler chose none
void answer_status_only(uint8_t text);            // whatever a handler chose
bool answer_begin(const struct whit_tcb *tcb);    // nothing yet; false: no room
void answer_open(const struct whit_tcb *tcb);     // a handler runs that may choose,
void answer_close(void);                          // ... and has returned
// Returns the handlers' status, or HTTP_500 instead. later: the handlers continue.
uint8_t answer_end(const struct whit_tcb *tcb, uint8_t status, bool later);
void answer_again(struct whit_answer *answer);    // a handler runs again: its choice goes there,
bool answer_same(const struct whit_tcb *tcb, const struct whit_answer *now);    // ... and must be the same
bool answer_piece(const struct whit_tcb *tcb, uint8_t which, struct piece *p);

#define CHUNK_HEAD 5       // three digits, CR LF
#define CHUNK_AROUND 12    // the same, CR LF, last chunk
#define CHUNK_DATA_MAX 4095
#define LENGTH_LINES 28    // octets of a Content-Length of 24 bits and of the empty line
void framing_length(uint8_t *to, whit_position content_len);    // writes them
// Frame `len` octets: the length of the octets before and after them, and writing these. Nothing precedes 0 octets.
uint8_t framing_before_len(enum framing framing, uint16_t len);
uint8_t framing_after_len(enum framing framing, uint16_t len, bool last);
uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len);
uint8_t framing_after(uint8_t *to, enum framing framing, uint16_t len, bool last);
void framing_walk(struct walk *w, whit_position content_len);    // the same lines

// kept.c: octets that are kept until they are acknowledged; for a thread, the octets in the buffer.
uint8_t kept_begin(const struct whit_tcb *tcb, uint16_t len);    // keeps the first octets of the tail
// as: its doGet, the same when its initGet handler has run already, or its doPost.
enum kept_as { KEPT_GET, KEPT_ADMITTED, KEPT_POST };
uint8_t kept_thread_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open,
                          enum kept_as as);
whit_position kept_len(const struct kept *kept, bool head_only, bool *ended);
void kept_walk(struct walk *w, const struct kept *kept, bool head_only);
uint16_t kept_acked(const struct kept *kept, whit_position upto);    // octets of a thread that are forgotten
struct kept_sealed *kept_records(const struct kept *kept);    // a thread's output is kept as whole records under TLS
enum framing kept_framing(const struct kept *kept);

// rerun.c: the generator runs from its beginning for every segment.
uint8_t replay_begin(const struct whit_tcb *tcb, whit_position len, whit_said hash);
whit_position replay_len(const struct whit_tcb *tcb, bool *more);    // length, framing included
enum walked replay_walk(struct walk *w, const struct whit_tcb *tcb);

// rerun.c: the generator runs again from a rerun point for every segment.
// of a chunk
uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, uint32_t *cost_us);
whit_position rerun_len(const struct whit_tcb *tcb, bool *ended, bool *more);
enum walked rerun_walk(struct walk *w, const struct whit_tcb *tcb);
// octets of chunks that lie before `upto`, which are forgotten
uint16_t rerun_acked(const struct whit_tcb *tcb, whit_position upto);
enum framing rerun_framing(const struct whit_tcb *tcb);

// The octets after the resource's head: field lines that depend on the version, the empty line, and content if it is
// wanted. Their length, and the walk over them.
uint16_t content_stored_len(const struct whit_tcb *tcb, bool content);
void stored_walk(struct walk *w, const struct whit_tcb *tcb, bool content);

// ------------------------------------------------------------------------------------------------ services

// Functions shared by the files that write a service's answer.

extern uint8_t service_as;    // enum service_as of the function that runs
#define AS_TEXT (WHIT_HAS_FORM_CALLS && (WHIT_HAS_SOAP ? service_as == AS_LINES : service_as != AS_JSON))
#define AS_XML (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || service_as >= AS_SOAP_11))
#define IN_JSON (!AS_TEXT && !AS_XML)

// service_value.c
void say(const char *octets);    // octets: in flash
#define SAY(octets)                                             \
    do {                                                        \
        static const char whit_text_here[] WHIT_FLASH = octets; \
        say(whit_text_here);                                    \
    } while (0)
const char *service_nth(const char *texts, uint8_t index);    // one of the texts in flash, each with a NUL
void say_character(uint8_t c);
void say_number(uint32_t number, uint8_t scale);
void say_value(const struct whit_value *value, const uint8_t *at);
// with WHIT_HAS_SIGNATURE: a URI of enum wss_namespace, at most `most` octets of it
void say_uri(uint8_t uri, uint8_t most);

// With WHIT_HAS_GIVES: sets the functions that give values, and their arguments; returns whether all of them succeeded.
void service_giving(const struct whit_service *service, struct args_t *args);
bool service_gave(void);
// service.c: the answer of a function, which may have been refused.
extern const char *service_why;    // text of fault(), in flash; NULL: it was not called

// service.c; with WHIT_HAS_RECORDS. Returns the expected value of the wrong argument, with its place in records and
// arrays. Its text begins after the name, which say_place() writes until service_blames_none(). NULL: it has no such
// arguments.
const char *service_blames(const struct whit_service *service, const struct args_t *args);
void service_blames_none(void);
void say_place(void);    // points[3].x

// service_soap.c
void soap_element(const struct whit_value *value, const uint8_t *at);    // a single value with its tags
void soap_tag(const char *name, bool ends);
void soap_reply_begin(const struct whit_service *service);    // all before the result, ...
void soap_reply_end(const struct whit_service *service);      // ... and behind it
// service_signed.c; with WHIT_HAS_REPLIES: begins an Envelope of that wss_namespace, up to its Body's tag; false: the
// reply is not signed.
bool signed_envelope(uint8_t soap);
bool signed_envelope_end(void);
bool signed_again(void);    // the output was hashed, and must be written again

enum soap_code { SOAP_SENDER, SOAP_RECEIVER, SOAP_VERSION, SOAP_MUST };
void soap_fault(enum soap_code code, const char *before, const char *why);    // both in flash

#endif
