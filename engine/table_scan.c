// SPDX-License-Identifier: MIT
// The tables of a small build: slots and tags are found, and timers run, by looking at all of them.
// table_hash.c does the same for thousands.
#include "inner.h"

#include <string.h>

struct whit_tcb whit_slots[WHIT_CONNECTIONS];
struct whit_tag whit_tags[WHIT_IDLE];
static uint16_t turn;    // slot that was served last

void table_init(void)
{
    memset(whit_slots, 0, sizeof whit_slots);
    memset(whit_tags, 0, sizeof whit_tags);
    turn = 0;
}

struct whit_tcb *table_find(const struct whit_tcb *peer)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        struct whit_tcb *tcb = &whit_slots[i];
        if (tcb->state != TCB_FREE && tcb->remote_port == peer->remote_port && tcb->remote_addr == peer->remote_addr)
            return tcb;
    }
    return NULL;
}

struct whit_tcb *table_take(const struct whit_tcb *peer)
{
    (void)peer;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        if (whit_slots[i].state == TCB_FREE)
            return &whit_slots[i];
    return NULL;
}

void table_release(struct whit_tcb *tcb)
{
    tcb->state = TCB_FREE;
    tcb->ready = 0;
}

void table_arm(struct whit_tcb *tcb, uint16_t ticks)
{
    tcb->deadline = (uint16_t)(now_ticks() + ticks);
}

struct whit_tcb *table_due(void)
{
    uint16_t now = now_ticks();
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        if (whit_slots[i].state != TCB_FREE && !tick_lt(now, whit_slots[i].deadline))
            return &whit_slots[i];
    return NULL;
}

uint16_t table_next(void)
{
    uint16_t now = now_ticks(), next = TICKS_IDLE;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        const struct whit_tcb *tcb = &whit_slots[i];
        uint16_t left = tick_lt(now, tcb->deadline) ? (uint16_t)(tcb->deadline - now) : 0;
        if (tcb->state != TCB_FREE && left < next)
            next = left;
    }
    return next;
}

void table_ready(struct whit_tcb *tcb)
{
    tcb->ready = 1;
}

struct whit_tcb *table_next_ready(void)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        turn = (uint16_t)(turn + 1 < WHIT_CONNECTIONS ? turn + 1 : 0);
        if (whit_slots[turn].ready) {
            whit_slots[turn].ready = 0;
            return &whit_slots[turn];
        }
    }
    return NULL;
}

struct whit_tag *table_tags(const struct whit_tcb *peer, uint16_t *cnt)
{
    (void)peer;
    *cnt = WHIT_IDLE;
    return whit_tags;
}
