// SPDX-License-Identifier: MIT
// Requests: read octet by octet, and answered.
#ifndef WHIT_HTTP_HTTP_H
#define WHIT_HTTP_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../core/tcb.h"
#include "../response/response.h"

void request_begin(struct whit_tcb *tcb);          // it waits for a request's first octet
bool request_begun(const struct whit_tcb *tcb);    // the first octet has come
// Functions of the layer above, which has the octets of a request. No other layer writes a request's state.
// There is no room: the peer retransmits the octets.
static inline void request_starve(struct whit_tcb *tcb)
{
    tcb->request.step = STEP_STARVED;
}
// there is room now
static inline void request_read_again(struct whit_tcb *tcb)
{
    tcb->request.step = STEP_READ;
}
// Counts one more turn for room. Returns the number of turns.
static inline uint8_t request_waited(struct whit_tcb *tcb)
{
    return ++tcb->request.turns;
}
static inline void request_copy(struct whit_tcb *to, const struct whit_tcb *from)
{
    to->value = from->value;
    to->request = from->request;
}
// Restores the stored state of a request.
static inline void request_put_back(struct whit_tcb *tcb, uint32_t value, const void *request, bool small)
{
    tcb_reads(tcb);
    window_seems(tcb, small);
    tcb->value = value;
    memcpy(&tcb->request, request, sizeof tcb->request);
}
// Takes octets of a request. Returns how many, which is less than len when the request ended or was refused.
uint16_t http_parse(struct whit_tcb *pending, const uint8_t *octets, uint16_t len);

void http_answer(struct whit_tcb *tcb);    // the request in tcb is complete: decide, and begin the response
void http_fail(struct whit_tcb *tcb, uint8_t status);      // instead of a response of which nothing has left
void http_refuse(struct whit_tcb *tcb, uint8_t status);    // begins an error response that ends the connection
void http_continue(struct whit_tcb *tcb);                  // begins "100 Continue"

// ------------------------------------------------------------------------------------------------ bodies

// Bodies of requests: read by their handlers as they come.

void body_run(struct whit_tcb *tcb);                            // the head is complete, or octets of the body have come
void body_resume(struct whit_tcb *tcb);                         // "100 Continue" is acknowledged
bool body_whole(const struct whit_tcb *tcb);                    // all of it has come, and a handler is still to read it
bool body_idle(const struct whit_tcb *tcb, uint16_t *ticks);    // one is read; ticks since something came or was read
bool body_due(struct whit_tcb *tcb);                 // false: it is not a body's turn, or the body took too long
void body_wake(struct whit_tcb *tcb);                // there may be room again
uint16_t body_window(const struct whit_tcb *tcb);    // to announce now
void body_refused(const struct whit_tcb *tcb);       // octets found no room
bool body_repeats(const struct whit_tcb *tcb);       // the acknowledgment that was sent is sent once more

// body.c; where HAS_PROOFS
bool proofs_wait(void);    // there are slices to be computed
void body_slice(void);     // one of them

#endif
