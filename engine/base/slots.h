// SPDX-License-Identifier: MIT
// Slots and tags: found by address and port, due, ready (table_scan.c, or table_hash.c on large builds).
#ifndef WHIT_BASE_SLOTS_H
#define WHIT_BASE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "called.h"
#include "tcb.h"

struct whit_tcb *table_find(const struct whit_tcb *peer);    // of the same address and port
struct whit_tcb *table_take(const struct whit_tcb *peer);    // free slot, its address not yet set; NULL: none
bool table_is_full(void);                                     // no slot is free
void table_release(struct whit_tcb *tcb);
void table_arm(struct whit_tcb *tcb, uint16_t ticks);         // due in `ticks`
struct whit_tcb *table_due(void);                             // one whose time has come, NULL: none
uint16_t table_next(void);                                    // ticks until the next is due
void table_ready(struct whit_tcb *tcb);                       // it has something to send
struct whit_tcb *table_next_ready(void);                      // takes the next one off, NULL: none
// The tag of a peer. A peer without one, if `wanted`, gets the place of the tag that would be forgotten first; else any tag of
// another peer, or a free one, is returned.
struct whit_tag *table_tag(const struct whit_tcb *peer, whit_tuple tuple, bool wanted);
bool table_is_promised(const struct whit_tcb *but);    // others are to keep all places of tags but one
void table_init(void);

CALLED void owe_ack(struct whit_tcb *tcb)
{
    tcb->ack_now = 1;
    table_ready(tcb);
}

// Each segment of ours acknowledges what came.
static inline void ack_goes_along(struct whit_tcb *tcb) { tcb->ack_now = 0; }

#endif
