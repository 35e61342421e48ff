// SPDX-License-Identifier: MIT
// What http_argument.c and http_record.c know of each other: arguments in arrays and in records (docs/services.md). All below is
// of a service, and needs WHIT_HAS_RECORDS.
#ifndef WHIT_HTTP_ARGUMENT_H
#define WHIT_HTTP_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"

// argument, while a value is read: its index, and
#define UNKNOWN 0x80     // the resource has no such argument, as of NODE_NONE: it is passed over
#define INDEX 0x1f
// seen: of a service, whose arguments are fewer. What was wrong first stands in its struct args_t.
#define FLAG_WRONG 0x8000

// http_argument.c
const struct whit_argument *argument_of(const struct whit_tcb *t);    // whose value is read
void argument_element(struct whit_tcb *t, uint8_t index);             // an array's next element begins
void argument_resume(struct whit_tcb *t, uint16_t seen, uint8_t index);    // these were seen; this one is at hand
void arguments_complete(struct whit_tcb *t);                          // those that did not come: their defaults, or one is missing

// http_wrong.c: returns HTTP_400, or the status that stands for it and its reason. wrong: enum whit_wrong, and the argument's index.
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

// http_piece.c: an argument that a function takes, whose struct whit_taking is at `memory` in `args`; *state is as of base64_take().
// False: it is refused.
bool piece_octet(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state, uint8_t c);
bool piece_end(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state);

// http_record.c
bool has_records(const struct whit_tcb *t);                           // among the arguments of what is called
const struct whit_record *record_of(const struct whit_tcb *t);        // that is read
uint16_t record_outer(const struct whit_tcb *t, uint16_t index);      // the argument of the function in which it is
uint8_t record_offset(const struct whit_tcb *t, const struct whit_argument *argument);    // of it, or of its next element, more
bool array_is_full(const struct whit_tcb *t, const struct whit_argument *argument);
void array_count(struct whit_tcb *t);                                  // an element has ended, of an array and if it was right
bool array_clear(struct whit_tcb *t, const struct whit_argument *argument);    // false: it is not an array
bool element_begin(struct whit_tcb *t);                               // in XML: it is an array, of which an element came before

#endif
