// SPDX-License-Identifier: MIT
// Bodies of requests: read by their handlers as they come.
#ifndef WHIT_BODY_BODY_H
#define WHIT_BODY_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

void body_run(struct whit_tcb *tcb);                   // the head is complete, or octets of the body have come
void body_resume(struct whit_tcb *tcb);                // "100 Continue" is acknowledged
bool body_whole(const struct whit_tcb *tcb);           // all of it has come, and a handler is still to read it
bool body_idle(const struct whit_tcb *tcb, uint16_t *ticks);    // one is read; ticks since something came or was read
bool body_due(struct whit_tcb *tcb);                   // false: it is not a body's turn, or the body took too long
void body_wake(struct whit_tcb *tcb);                  // there may be room again
uint16_t body_window(const struct whit_tcb *tcb);      // to announce now
void body_refused(const struct whit_tcb *tcb);         // octets found no room
bool body_repeats(const struct whit_tcb *tcb);         // the acknowledgment that was sent is sent once more

// body_proof.c; where HAS_PROOFS
bool proofs_wait(void);                                // there are slices to be computed
void body_slice(void);                                 // one of them

#endif
