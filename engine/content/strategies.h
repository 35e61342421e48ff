// SPDX-License-Identifier: MIT
// What the files of this floor know of each other: how the octets of a content are found, one file for each strategy.
#ifndef WHIT_CONTENT_STRATEGIES_H
#define WHIT_CONTENT_STRATEGIES_H

#include <stdbool.h>
#include <stdint.h>

#include "content.h"
#include "out.h"
#include "../base/position.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"

// How the end of a generated content is told (RFC 9112 section 6.3).
enum framing { FRAMING_LENGTH, FRAMING_CHUNKED, FRAMING_CLOSE };

void text_extent(const struct whit_tcb *tcb, struct extent *e);    // response_extent() without what TLS adds

// One piece of a response in flash.
struct piece {
    const uint8_t *octets;
    const uint16_t *sums;     // of its chunks (tables.h); NULL: it has none, and is sent whole
    whit_position len;
    uint16_t sum;             // of all of it
    uint16_t stored_sums;     // of stored content: address of its sums in persistent memory, where its octets are too; 0: in flash
};
void static_walk(struct walk *w, const struct piece *p);    // where the segment ends in it, w->limit is 0 then

// head.c
void response_piece(const struct whit_tcb *tcb, const struct whit_resource *r, struct piece *p);    // of what the compiler made of r, this response's part
bool response_has_page(const struct whit_tcb *tcb);                    // it is an error with a page (log_page.c)
void response_head_walk(struct walk *w, const struct whit_tcb *tcb, enum framing framing);    // over what comes before octets that are made now
whit_position response_head_len(const struct whit_tcb *tcb, enum framing framing);
enum framing content_framing(const struct whit_tcb *tcb, enum strategy strategy);

const struct whit_generator *content_generator(const struct whit_tcb *tcb);    // of the response
struct args_t *content_args(const struct whit_tcb *tcb);
bool run_init_get(const struct whit_tcb *tcb, const struct whit_generator *generator);    // its initGet handler lets the request pass

// answer.c, with WHIT_HAS_ANSWER: what the request's handlers chose of the response's head.
struct whit_answer {
    uint8_t status;                        // 1 + a text of whit_answer_texts; 0: 200
    uint8_t fields[WHIT_ANSWER_FIELDS];    // the same; 0: no more
};
void answer_status_else(uint8_t text);                              // chooses it where a handler chose none
void answer_status_only(uint8_t text);                              // whatever a handler chose
bool answer_begin(const struct whit_tcb *tcb);                      // nothing yet; false: no room
void answer_open(const struct whit_tcb *tcb);                       // a handler runs that may choose,
void answer_close(void);                                            // ... and has returned
uint8_t answer_end(const struct whit_tcb *tcb, uint8_t status, bool later);    // of the handlers: the status, or HTTP_500 instead; later: they go on
void answer_again(struct whit_answer *answer);                      // one runs again: what it chooses goes there,
bool answer_same(const struct whit_tcb *tcb, const struct whit_answer *now);    // ... and must be the same
bool answer_piece(const struct whit_tcb *tcb, uint8_t which, struct piece *p);

#define CHUNK_HEAD 5     // three digits, CR LF
#define CHUNK_AROUND 12  // the same, CR LF, last chunk
#define CHUNK_DATA_MAX 4095
#define LENGTH_LINES 28  // octets of a Content-Length of 24 bits and of the empty line
void framing_length(uint8_t *to, whit_position content_len);    // writes them
// What stands before and after `len` octets: how many octets it has, and writing it. Of no octets, nothing stands before.
uint8_t framing_before_len(enum framing framing, uint16_t len);
uint8_t framing_after_len(enum framing framing, uint16_t len, bool last);
uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len);
uint8_t framing_after(uint8_t *to, enum framing framing, uint16_t len, bool last);
void framing_walk(struct walk *w, whit_position content_len);    // the same lines

// content_kept.c: octets that are kept until they are acknowledged; of a thread, those that the buffer holds.
uint8_t kept_begin(const struct whit_tcb *tcb, uint16_t len);    // keeps the first octets of the tail
// as: its doGet, the same when its initGet handler has run already, or its doPost.
enum kept_as { KEPT_GET, KEPT_ADMITTED, KEPT_POST };
uint8_t kept_thread_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, enum kept_as as);
whit_position kept_len(const struct whit_tcb *tcb, bool *ended);
void kept_walk(struct walk *w, const struct whit_tcb *tcb);
uint16_t kept_acked(const struct whit_tcb *tcb, whit_position upto);    // octets of a thread that are forgotten
bool kept_is_stream(const struct whit_tcb *tcb);    // it is what a thread writes, of which under TLS whole records are kept:
const uint8_t *kept_stream(const struct whit_tcb *tcb);
struct kept_sealed *kept_records(const struct whit_tcb *tcb);
enum framing kept_framing(const struct whit_tcb *tcb);

// content_replay.c: the generator runs from its beginning for every segment.
uint8_t replay_begin(const struct whit_tcb *tcb, whit_position len, whit_said hash);
whit_position replay_len(const struct whit_tcb *tcb, bool *more);    // what frames it included
enum walked replay_walk(struct walk *w, const struct whit_tcb *tcb);

// content_rerun.c: the generator runs again from a rerun point for every segment.
uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, uint32_t *cost_us);    // of a chunk
whit_position rerun_len(const struct whit_tcb *tcb, bool *ended, bool *more);
enum walked rerun_walk(struct walk *w, const struct whit_tcb *tcb);
uint16_t rerun_acked(const struct whit_tcb *tcb, whit_position upto);       // octets of chunks that lie before `upto`, which are forgotten
enum framing rerun_framing(const struct whit_tcb *tcb);

// Of what follows the resource's head: field lines that only the version tells, the empty line, and then content if it
// is wanted. Octets, and walking over them.
uint16_t content_stored_len(const struct whit_tcb *tcb, bool content);
void stored_walk(struct walk *w, const struct whit_tcb *tcb, bool content);
uint16_t stored_sum_at(uint16_t address);                       // a prefix sum
uint16_t stored_checksum(const struct piece *p, whit_position from, uint16_t len);    // of octets inside a chunk

#endif
